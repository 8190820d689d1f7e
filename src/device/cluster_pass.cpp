// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cluster_pass.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <array>
#include <cmath>
#include <utility>

#include "core/sample_pass.hpp"
#include "device/center_distances-inl.hpp"
#include "device/cluster_pass.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Assigns one chunk of samples, block by block, and adds them to the sums of their centers.
template <typename Input>
class ClusterChunk {
 public:
  ClusterChunk(const Input* data, const WeightedSamples& samples, const RowMatrix& centers,
               const CenterMoves& moves, const Vector& origin, bool adds_all, NearestBounds& bounds)
      : data_(data),
        stride_(samples.samples.row_stride()),
        samples_(samples),
        centers_(centers),
        moves_(moves),
        origin_(origin),
        adds_all_(adds_all),
        bounds_(bounds),
        longer_(CenterMoves::slack(centers.cols())),
        block_(centers.cols()),
        sums_(RowMatrix::Zero(centers.rows(), 1 + 2 * centers.cols())) {}

  RowMatrix sums(Index begin, Index end) {
    SamplePass pass(samples_.samples, begin);
    for (Index first = begin; first < end; first += block_points<double>) {
      const Index last = std::min(first + block_points<double>, end);
      find_open(first, last);
      tighten();
      assign_open();
      for (Index i = first; adds_all_ && i < last; ++i) {
        add(i, bounds_.label[static_cast<std::size_t>(i)], 1.0);
      }
      pass.used_up_to(last);
    }
    return std::move(sums_);
  }

 private:
  /// Moves the bounds with the centers, and finds the samples that may have a new center.
  HWY_INLINE void find_open(Index first, Index last) {
    const int* const label = bounds_.label.data();
    double* const upper = bounds_.upper.data();
    double* const lower = bounds_.lower.data();
    const double* const moved = moves_.moved.data();
    const double* const gap = moves_.half_gaps.data();
    const auto mover = static_cast<int>(moves_.mover);
    n_open_ = 0;
    for (Index i = first; i < last; ++i) {
      const int own = label[i];
      upper[i] = (upper[i] + moved[own]) * tiny_longer;
      lower[i] = (lower[i] - (own == mover ? moves_.second_most : moves_.most)) * tiny_shorter;
      open_[static_cast<std::size_t>(n_open_)] = i;
      n_open_ += upper[i] < std::max(lower[i], gap[own]) ? 0 : 1;
    }
  }

  /// Computes the distances of open samples to their centers, which is enough for some of them.
  HWY_INLINE void tighten() {
    Index n_left = 0;
    for (Index i = 0; i < n_open_; ++i) {
      const Index sample = open_[static_cast<std::size_t>(i)];
      const auto at = static_cast<std::size_t>(sample);
      const int own = bounds_.label[at];
      if (bounds_.upper[at] < std::numeric_limits<double>::infinity()) {
        bounds_.upper[at] = std::sqrt(squared_distance(sample, own)) * longer_;
      }
      open_[static_cast<std::size_t>(n_left)] = sample;
      n_left += bounds_.upper[at] < std::max(bounds_.lower[at], moves_.half_gaps[own]) ? 0 : 1;
    }
    n_open_ = n_left;
  }

  HWY_INLINE double squared_distance(Index sample, Index center) const {
    const Input* const values = data_ + sample * stride_;
    const double* const mean = centers_.data() + center * centers_.cols();
    double sum = 0.0;
    for (Index f = 0; f < centers_.cols(); ++f) {
      const double difference = static_cast<double>(values[f]) - mean[f];
      sum += difference * difference;
    }
    return sum;
  }

  /// The nearest and second nearest centers of open samples.
  HWY_INLINE void assign_open() {
    const Tag<double> d;
    const Index step = lanes<double>();
    block_.gather(samples_.samples, open_.data(), n_open_);
    for (Index first = 0; first < n_open_; first += group_vectors * step) {
      Group best;
      Group second;
      Group label;
      squared_distances(block_.features.row(0) + first, centers_.data(), centers_.cols(), best);
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) {
        second[v] = hn::Inf(d);
        label[v] = hn::Zero(d);
      }
      for (Index k = 1; k < centers_.rows(); ++k) {
        Group distance;
        squared_distances(block_.features.row(0) + first, centers_.data() + k * centers_.cols(),
                          centers_.cols(), distance);
        const Vec<double> index = hn::Set(d, static_cast<double>(k));
        LBW_UNROLL
        for (int v = 0; v < group_vectors; ++v) {
          const auto closer = hn::Lt(distance[v], best[v]);
          second[v] = hn::Min(second[v], hn::Max(distance[v], best[v]));
          best[v] = hn::Min(distance[v], best[v]);
          label[v] = hn::IfThenElse(closer, index, label[v]);
        }
      }
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) {
        hn::Store(hn::Mul(hn::Sqrt(best[v]), hn::Set(d, longer_)), d,
                  upper_.data() + first + v * step);
        hn::Store(hn::Mul(hn::Sqrt(second[v]), hn::Set(d, 1.0 / longer_)), d,
                  lower_.data() + first + v * step);
        hn::Store(label[v], d, label_.data() + first + v * step);
      }
    }
    for (Index i = 0; i < n_open_; ++i) {
      const auto at = static_cast<std::size_t>(open_[static_cast<std::size_t>(i)]);
      const int before = std::exchange(bounds_.label[at], static_cast<int>(label_[i]));
      if (!adds_all_ && before != bounds_.label[at]) {
        add(open_[static_cast<std::size_t>(i)], before, -1.0);
        add(open_[static_cast<std::size_t>(i)], bounds_.label[at], 1.0);
      }
      bounds_.upper[at] = upper_[i];
      bounds_.lower[at] = lower_[i];
    }
  }

  /// Adds a sample to the sums of a center, or subtracts it.
  HWY_INLINE void add(Index sample, Index center, double sign) {
    const Index n_features = centers_.cols();
    const double weight = sign * samples_.weight(sample);
    const Input* HWY_RESTRICT const values = data_ + sample * stride_;
    const double* HWY_RESTRICT const origin = origin_.data();
    double* HWY_RESTRICT const sum = sums_.data() + center * sums_.cols();
    double* HWY_RESTRICT const size = sum + 1 + n_features;
    sum[0] += weight;
    for (Index f = 0; f < n_features; ++f) {
      const double added = weight * (static_cast<double>(values[f]) - origin[f]);
      sum[1 + f] += added;
      size[f] += std::abs(added);
    }
  }

  static constexpr double tiny_longer = 1.0 + 0x1p-50;
  static constexpr double tiny_shorter = 1.0 - 0x1p-50;

  const Input* data_;
  Index stride_;
  const WeightedSamples& samples_;
  const RowMatrix& centers_;
  const CenterMoves& moves_;
  const Vector& origin_;
  bool adds_all_;
  NearestBounds& bounds_;
  double longer_;
  FeatureBlock block_;
  RowMatrix sums_;
  Index n_open_ = 0;
  std::array<Index, static_cast<std::size_t>(block_points<double>)> open_{};
  AlignedArray<double> upper_{block_points<double>};
  AlignedArray<double> lower_{block_points<double>};
  AlignedArray<double> label_{block_points<double>};
};

RowMatrix chunk_cluster_sums(const WeightedSamples& samples, const RowMatrix& centers,
                             const CenterMoves& moves, const Vector& origin, bool adds_all,
                             Index begin, Index end, NearestBounds& bounds) {
  if (samples.samples.is_float()) {
    return ClusterChunk<float>(samples.samples.floats(), samples, centers, moves, origin, adds_all,
                               bounds)
        .sums(begin, end);
  }
  return ClusterChunk<double>(samples.samples.doubles(), samples, centers, moves, origin, adds_all,
                              bounds)
      .sums(begin, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(chunk_cluster_sums);

RowMatrix chunk_cluster_sums(const WeightedSamples& samples, const RowMatrix& centers,
                             const CenterMoves& moves, const Vector& origin, bool adds_all,
                             Index begin, Index end, NearestBounds& bounds) {
  return HWY_DYNAMIC_DISPATCH(chunk_cluster_sums)(samples, centers, moves, origin, adds_all, begin,
                                                  end, bounds);
}

// A computed distance of d features is off by at most (d + 3) / 2 ulps.
double CenterMoves::slack(Index n_features) {
  return 1.0 + static_cast<double>(n_features + 8) * 0x1p-51;
}

CenterMoves::CenterMoves(const RowMatrix& before, const RowMatrix& centers)
    : moved(Vector::Zero(centers.rows())),
      half_gaps(Vector::Constant(centers.rows(), std::numeric_limits<double>::infinity())) {
  const double longer = slack(centers.cols());
  for (Index k = 0; k < centers.rows(); ++k) {
    if (before.rows() > 0) moved[k] = longer * (centers.row(k) - before.row(k)).norm();
    for (Index other = 0; other < k; ++other) {
      const double half = 0.5 / longer * (centers.row(k) - centers.row(other)).norm();
      half_gaps[k] = std::min(half_gaps[k], half);
      half_gaps[other] = std::min(half_gaps[other], half);
    }
    if (moved[k] > most) {
      second_most = most;
      most = moved[k];
      mover = k;
    } else {
      second_most = std::max(second_most, moved[k]);
    }
  }
}

}  // namespace lbw
#endif  // HWY_ONCE
