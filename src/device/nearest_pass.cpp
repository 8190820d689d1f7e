// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/nearest_pass.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include "core/sample_pass.hpp"
#include "device/ahead-inl.hpp"
#include "device/center_distances-inl.hpp"
#include "device/centered_moments-inl.hpp"
#include "device/load_weights.hpp"
#include "device/nearest_pass.hpp"
#include "device/scatter_panels-inl.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// The nearest center of every point of a block and the squared distance to it.
HWY_INLINE void find_nearest(const FeatureBlock& block, const RowMatrix& centers, Index count,
                             double* nearest, double* distances) {
  const Tag<double> d;
  const Index step = lanes<double>();
  for (Index first = 0; first < count; first += group_vectors * step) {
    Group best;
    Group label;
    squared_distances(block.features.row(0) + first, centers.data(), centers.cols(), best);
    LBW_UNROLL
    for (int v = 0; v < group_vectors; ++v) label[v] = hn::Zero(d);
    for (Index k = 1; k < centers.rows(); ++k) {
      Group distance;
      squared_distances(block.features.row(0) + first, centers.data() + k * centers.cols(),
                        centers.cols(), distance);
      const Vec<double> index = hn::Set(d, static_cast<double>(k));
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) {
        const auto closer = hn::Lt(distance[v], best[v]);
        best[v] = hn::IfThenElse(closer, distance[v], best[v]);
        label[v] = hn::IfThenElse(closer, index, label[v]);
      }
    }
    LBW_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      hn::Store(best[v], d, distances + first + v * step);
      hn::Store(label[v], d, nearest + first + v * step);
    }
  }
}

/// Adds one sample to the sums of its center.
template <typename Input>
HWY_INLINE void add_sample(const Input* sample, const double* center, Index n_features,
                           double weight, NearestTerms terms, double* differences, double* sums) {
  sums[0] += weight;
  for (Index f = 0; f < n_features; ++f) {
    differences[f] = static_cast<double>(sample[f]) - center[f];
    sums[1 + f] += weight * differences[f];
  }
  double* second = sums + 1 + n_features;
  if (terms == NearestTerms::diagonal) {
    for (Index f = 0; f < n_features; ++f) second[f] += weight * differences[f] * differences[f];
    return;
  }
  for (Index a = 0; a < n_features; ++a) {
    const double weighted = weight * differences[a];
    for (Index b = 0; b <= a; ++b) second[b] += weighted * differences[b];
    second += a + 1;
  }
}

template <typename Input>
void add_samples(const Input* data, const WeightedSamples& samples, const RowMatrix& centers,
                 NearestTerms terms, Index first, Index count, const double* nearest,
                 PassSums& sums) {
  Vector differences(centers.cols());
  for (Index i = 0; i < count; ++i) {
    const auto center = static_cast<Index>(nearest[i]);
    add_sample(data + (first + i) * samples.samples.row_stride(),
               centers.data() + center * centers.cols(), centers.cols(), samples.weight(first + i),
               terms, differences.data(), sums.moments.data() + center * sums.moments.cols());
  }
}

/// Sums about a single center, with all products.
class OneCenter {
 public:
  explicit OneCenter(const RowMatrix& center)
      : center_(center),
        block_(center.cols()),
        vectors_((1 + center.cols() + center.cols() * (center.cols() + 1) / 2) * lanes<double>()) {}

  PassSums sums(const WeightedSamples& samples, Index begin, Index end) {
    PassSums sums;
    SamplePass pass(samples.samples, begin);
    for (Index first = begin; first < end; first += block_points<double>) {
      const Index count = std::min(block_points<double>, end - first);
      add_block(samples, first, count);
      find_nearest(block_, center_, count, nearest_.data(), distances_.data());
      for (Index i = 0; i < count; ++i) distances_[i] = -distances_[i];
      sums.add_likelihood(samples, first, count, distances_.data());
      pass.used_up_to(first + count);
    }
    sums.moments.resize(1, vectors_.size() / lanes<double>());
    for (Index i = 0; i < sums.moments.size(); ++i) {
      const double* vector = vectors_.data() + i * lanes<double>();
      sums.moments(0, i) = sum_lanes<double>(hn::Load(Tag<double>(), vector));
    }
    return sums;
  }

 private:
  void add_block(const WeightedSamples& samples, Index first, Index count) {
    const Tag<double> d;
    const Index n_features = center_.cols();
    const Index n_vectors = (count + lanes<double>() - 1) / lanes<double>();
    block_.load(samples.samples, first, count);
    load_weights(samples, first, count, 1.0, weights_.data());
    Vec<double> weight = hn::Load(d, vectors_.data());
    for (Index v = 0; v < n_vectors; ++v) {
      weight = hn::Add(weight, hn::Load(d, weights_.data() + v * lanes<double>()));
    }
    hn::Store(weight, d, vectors_.data());
    double* const first_sums = vectors_.data() + lanes<double>();
    CenteredMoments<double>{weights_.data(),
                            block_.features.row(0),
                            center_.data(),
                            n_features,
                            n_vectors,
                            first_sums,
                            first_sums + n_features * lanes<double>()}
        .add(Ahead(samples.samples, first + count, block_points<double>));
  }

  const RowMatrix& center_;
  FeatureBlock block_;
  AlignedArray<double> weights_{block_points<double>};
  AlignedArray<double> nearest_{block_points<double>};
  AlignedArray<double> distances_{block_points<double>};
  AlignedArray<double> vectors_;  ///< PassSums::moments, one vector for each entry
};

/// Sums about the nearest of some centers, with all products of many features.
class ManyFeatures {
 public:
  explicit ManyFeatures(const RowMatrix& centers)
      : centers_(centers),
        block_(centers.cols()),
        padded_(padded_features<double>(centers.cols())),
        padded_centers_(centers.rows() * padded_),
        rows_(Vector::Zero(centers.cols()), block_points<double>) {
    for (Index k = 0; k < centers.rows(); ++k) {
      moments_.emplace_back(centers.cols());
      std::copy_n(centers.data() + k * centers.cols(), centers.cols(),
                  padded_centers_.data() + k * padded_);
    }
  }

  PassSums sums(const WeightedSamples& samples, Index begin, Index end) {
    PassSums sums;
    SamplePass pass(samples.samples, begin);
    for (Index first = begin; first < end; first += block_points<double>) {
      const Index count = std::min(block_points<double>, end - first);
      block_.load(samples.samples, first, count);
      find_nearest(block_, centers_, count, nearest_.data(), distances_.data());
      load_weights(samples, first, count, 1.0, weights_.data());
      add_block(samples.samples.rows(first, count));
      for (Index i = 0; i < count; ++i) distances_[i] = -distances_[i];
      sums.add_likelihood(samples, first, count, distances_.data());
      pass.used_up_to(first + count);
    }
    sums.moments = RowMatrix::Zero(centers_.rows(), 1 + n_moments(centers_.cols(), false));
    for (Index k = 0; k < centers_.rows(); ++k) {
      moments_[static_cast<std::size_t>(k)].flush(sums.moments.data() + k * sums.moments.cols());
    }
    return sums;
  }

 private:
  void add_block(SampleView points) {
    const Index n = points.n_samples();
    rows_.load(points, 0, n, 0);
    for (Index k = 0; k < centers_.rows(); ++k) {
      for (Index i = 0; i < n; ++i) {
        own_[i] = nearest_[i] == static_cast<double>(k) ? weights_[i] : 0.0;
      }
      std::fill(own_.data() + n, own_.data() + own_.size(), 0.0);
      weighted_.choose(own_.data(), n);
      moments_[static_cast<std::size_t>(k)].add(weighted_, padded_centers_.data() + k * padded_);
    }
  }

  const RowMatrix& centers_;
  FeatureBlock block_;
  Index padded_;  ///< doubles per center
  AlignedArray<double> padded_centers_;
  AlignedArray<double> weights_{block_points<double>};
  AlignedArray<double> own_{block_points<double>};  ///< weights of the points of one center
  AlignedArray<double> nearest_{block_points<double>};
  AlignedArray<double> distances_{block_points<double>};
  PointRows<double> rows_;
  WeightedRows<double> weighted_{rows_};
  std::vector<ScatterPanels<double>> moments_;
};

PassSums nearest_sums(const WeightedSamples& samples, const RowMatrix& centers, NearestTerms terms,
                      Index begin, Index end) {
  const Index d = centers.cols();
  constexpr Index fewest_features_of_one = 32;
  if (terms == NearestTerms::full &&
      d >= (centers.rows() == 1 ? fewest_features_of_one : fewest_features_of_panels)) {
    return ManyFeatures(centers).sums(samples, begin, end);
  }
  if (centers.rows() == 1 && terms == NearestTerms::full) {
    return OneCenter(centers).sums(samples, begin, end);
  }
  const Index n_terms = n_moments(d, terms == NearestTerms::diagonal);
  PassSums sums;
  sums.moments = RowMatrix::Zero(centers.rows(), 1 + n_terms);
  FeatureBlock block(d);
  AlignedArray<double> nearest(block_points<double>);
  AlignedArray<double> distances(block_points<double>);
  SamplePass pass(samples.samples, begin);
  for (Index first = begin; first < end; first += block_points<double>) {
    const Index count = std::min(block_points<double>, end - first);
    block.load(samples.samples, first, count);
    find_nearest(block, centers, count, nearest.data(), distances.data());
    if (samples.samples.is_float()) {
      add_samples(samples.samples.floats(), samples, centers, terms, first, count, nearest.data(),
                  sums);
    } else {
      add_samples(samples.samples.doubles(), samples, centers, terms, first, count, nearest.data(),
                  sums);
    }
    for (Index i = 0; i < count; ++i) distances[i] = -distances[i];
    sums.add_likelihood(samples, first, count, distances.data());
    pass.used_up_to(first + count);
  }
  return sums;
}

Vector chunk_potentials(const WeightedSamples& samples, const RowMatrix& candidates,
                        const Vector& distances, Index begin, Index end) {
  const Tag<double> d;
  const Index step = lanes<double>();
  FeatureBlock block(candidates.cols());
  AlignedArray<double> limits(block_points<double>);
  AlignedArray<double> weights(block_points<double>);
  AlignedArray<double> sums(candidates.rows() * step);
  SamplePass pass(samples.samples, begin);
  for (Index first = begin; first < end; first += block_points<double>) {
    const Index count = std::min(block_points<double>, end - first);
    block.load(samples.samples, first, count);
    load_weights(samples, first, count, 1.0, weights.data());
    std::copy_n(distances.data() + first, count, limits.data());
    for (Index i = 0; i < count; i += group_vectors * step) {
      for (Index k = 0; k < candidates.rows(); ++k) {
        Group distance;
        squared_distances(block.features.row(0) + i, candidates.data() + k * candidates.cols(),
                          candidates.cols(), distance);
        Vec<double> sum = hn::Load(d, sums.data() + k * step);
        LBW_UNROLL
        for (int v = 0; v < group_vectors; ++v) {
          const Vec<double> lower = hn::Min(distance[v], hn::Load(d, limits.data() + i + v * step));
          sum = hn::MulAdd(lower, hn::Load(d, weights.data() + i + v * step), sum);
        }
        hn::Store(sum, d, sums.data() + k * step);
      }
    }
    pass.used_up_to(first + count);
  }
  Vector result(candidates.rows());
  for (Index k = 0; k < candidates.rows(); ++k) {
    result[k] = sum_lanes<double>(hn::Load(d, sums.data() + k * step));
  }
  return result;
}

void chunk_lower_distances(SampleView samples, const Vector& center, Index begin, Index end,
                           Vector& distances) {
  const Tag<double> d;
  const Index step = lanes<double>();
  FeatureBlock block(center.size());
  AlignedArray<double> found(block_points<double>);
  SamplePass pass(samples, begin);
  for (Index first = begin; first < end; first += block_points<double>) {
    const Index count = std::min(block_points<double>, end - first);
    block.load(samples, first, count);
    for (Index i = 0; i < count; i += group_vectors * step) {
      Group distance;
      squared_distances(block.features.row(0) + i, center.data(), center.size(), distance);
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) {
        hn::Store(distance[v], d, found.data() + i + v * step);
      }
    }
    for (Index i = 0; i < count; ++i) {
      distances[first + i] = std::min(distances[first + i], found[i]);
    }
    pass.used_up_to(first + count);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(nearest_sums);
HWY_EXPORT(chunk_potentials);
HWY_EXPORT(chunk_lower_distances);

PassSums nearest_sums(const WeightedSamples& samples, const RowMatrix& centers, NearestTerms terms,
                      Index begin, Index end) {
  return HWY_DYNAMIC_DISPATCH(nearest_sums)(samples, centers, terms, begin, end);
}

Vector chunk_potentials(const WeightedSamples& samples, const RowMatrix& candidates,
                        const Vector& distances, Index begin, Index end) {
  return HWY_DYNAMIC_DISPATCH(chunk_potentials)(samples, candidates, distances, begin, end);
}

void chunk_lower_distances(SampleView samples, const Vector& center, Index begin, Index end,
                           Vector& distances) {
  HWY_DYNAMIC_DISPATCH(chunk_lower_distances)(samples, center, begin, end, distances);
}

}  // namespace lbw
#endif  // HWY_ONCE
