// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/label_pass.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <cmath>
#include <vector>

#include "device/density_model.hpp"
#include "device/label_pass.hpp"
#include "device/load-inl.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// The largest and second largest row for a group of points, and the index of the largest, the
/// first one if several are equal.
template <typename T>
struct TopTwo {
  Vec<T> largest[group_vectors];
  Vec<T> second[group_vectors];
  Vec<T> label[group_vectors];

  HWY_INLINE TopTwo(const Rows<T>& values, Index n_rows, Index first) {
    const Tag<T> d;
    LBW_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      largest[v] = hn::Load(d, values.row(0) + first + v * lanes<T>());
      second[v] = hn::Set(d, hwy::LowestValue<T>());
      label[v] = hn::Zero(d);
    }
    for (Index k = 1; k < n_rows; ++k) {
      const Vec<T> index = hn::Set(d, static_cast<T>(k));
      const T* row = values.row(k) + first;
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) {
        const Vec<T> value = hn::Load(d, row + v * lanes<T>());
        const auto larger = hn::Gt(value, largest[v]);
        second[v] = hn::Max(second[v], hn::Min(value, largest[v]));
        largest[v] = hn::IfThenElse(larger, value, largest[v]);
        label[v] = hn::IfThenElse(larger, index, label[v]);
      }
    }
  }
};

/// Computes in double precision.
class ExactLabels final : public LabelPass {
 public:
  ExactLabels(const KernelTable& table, SampleView samples)
      : table_(table),
        samples_(samples),
        model_(make_density_model<double>(table)),
        joint_(table.n_components()) {}

  void labels(Index begin, Index end, int* out) override {
    labels_of(samples_.rows(begin, end - begin), out);
  }

  void labels_of(SampleView samples, int* out) {
    const Tag<double> d;
    const Index group = group_vectors * lanes<double>();
    for (Index first = 0; first < samples.n_samples(); first += block_points<double>) {
      const Index count = std::min(block_points<double>, samples.n_samples() - first);
      model_->load(samples, first, count);
      model_->evaluate(count, 0.0, joint_);
      for (Index i = 0; i < count; i += group) {
        const TopTwo<double> top(joint_, table_.n_components(), i);
        for (int v = 0; v < group_vectors; ++v) {
          hn::Store(top.label[v], d, best_.data() + i + v * lanes<double>());
        }
      }
      for (Index i = 0; i < count; ++i) out[first + i] = static_cast<int>(best_[i]);
    }
  }

 private:
  const KernelTable& table_;
  SampleView samples_;
  std::unique_ptr<DensityModel<double>> model_;
  Rows<double> joint_;
  AlignedArray<double> best_{block_points<double>};
};

/// Computes in single precision, and again in double precision where the error bound requires it.
class ScreenedLabels final : public LabelPass {
 public:
  ScreenedLabels(const LabelTables& tables, SampleView samples)
      : tables_(tables),
        samples_(samples),
        model_(make_density_model<float>(tables.screen)),
        joint_(tables.screen.n_components()) {}

  void labels(Index begin, Index end, int* out) override {
    undecided_.clear();
    for (Index first = begin; first < end; first += block_points<float>) {
      const Index count = std::min(block_points<float>, end - first);
      model_->load(samples_, first, count);
      model_->evaluate(count, relevant, joint_);
      screen(count);
      for (Index i = 0; i < count; ++i) {
        out[first - begin + i] = static_cast<int>(best_[i]);
        if (best_[i] < 0.0F) undecided_.push_back(first + i);
      }
    }
    if (!undecided_.empty()) decide(begin, out);
  }

 private:
  /// The labels of all undecided samples, as samples of their own.
  void decide(Index begin, int* out) {
    const Index n = std::ssize(undecided_);
    if (!exact_) exact_ = std::make_unique<ExactLabels>(tables_.exact, samples_);
    if (rows_.rows() < n) rows_.resize(n, samples_.n_features());
    std::vector<int> labels(undecided_.size());
    for (std::size_t i = 0; i < undecided_.size(); ++i) {
      for (Index f = 0; f < samples_.n_features(); ++f) {
        rows_(static_cast<Index>(i), f) = samples_(undecided_[i], f);
      }
    }
    exact_->labels_of(SampleView(rows_).rows(0, n), labels.data());
    for (std::size_t i = 0; i < undecided_.size(); ++i) out[undecided_[i] - begin] = labels[i];
  }

  /// Wider than the error bound of nearly all samples.
  static constexpr float relevant = 2.0F;

  /// best_[i] = label of point i, or -1 if the error bound does not decide.
  void screen(Index count) {
    const Tag<float> d;
    const Index group = group_vectors * lanes<float>();
    const Vec<float> slope = hn::Set(d, static_cast<float>(tables_.slope));
    const Vec<float> reach = hn::Set(d, static_cast<float>(tables_.reach));
    const Vec<float> rounding = hn::Set(d, static_cast<float>(tables_.rounding));
    const Vec<float> scale = hn::Set(d, static_cast<float>(tables_.scale));
    model_->squared_norms(count, norms_.data());
    for (Index first = 0; first < count; first += group) {
      const TopTwo<float> top(joint_, tables_.screen.n_components(), first);
      for (int v = 0; v < group_vectors; ++v) {
        const Index at = first + v * lanes<float>();
        const Vec<float> norm = hn::Load(d, norms_.data() + at);
        const Vec<float> q = hn::Sub(scale, top.second[v]);
        const Vec<float> spread =
            hn::Mul(hn::Mul(slope, hn::Sqrt(q)), hn::Add(hn::Sqrt(norm), reach));
        const Vec<float> margin = hn::MulAdd(rounding, hn::Add(q, scale), spread);
        const auto certain =
            hn::And(hn::Gt(hn::Sub(top.largest[v], top.second[v]), margin), is_not_clamped(norm));
        hn::Store(hn::IfThenElse(certain, top.label[v], hn::Set(d, -1.0F)), d, best_.data() + at);
      }
    }
  }

  const LabelTables& tables_;
  SampleView samples_;
  std::unique_ptr<DensityModel<float>> model_;
  Rows<float> joint_;
  AlignedArray<float> norms_{block_points<float>};
  AlignedArray<float> best_{block_points<float>};
  std::unique_ptr<ExactLabels> exact_;  ///< empty until a sample is undecided
  std::vector<Index> undecided_;
  RowMatrix rows_;  ///< the undecided samples
};

std::unique_ptr<LabelPass> make_label_pass(const LabelTables& tables, SampleView samples) {
  if (tables.has_screen) return std::make_unique<ScreenedLabels>(tables, samples);
  return std::make_unique<ExactLabels>(tables.exact, samples);
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

namespace {

// A wider margin than this would send too many samples to double precision.
constexpr double widest_margin = 0.5;
constexpr double widest_margin_of_draws = 0.05;

}  // namespace

// With e = 2^-24, n features and y = triangle * x - shift as the kernel computes it, every
// component of y is off by at most (n + 4) e |row of the triangle| (|x| + |mean|), so the sum of
// squares by 2 (n + 4) e |y| |triangle| (|x| + |mean|), and by (n + 3) e (|y|^2 + |log_scale|) for
// its own additions. The bound compares two such sums. |y|^2 is at most the largest log_scale minus
// the joint density. The error of a component that lags further grows only in proportion to its
// distance, less than the gap does.
LabelTables::LabelTables(const DensityTable& table)
    : screen(KernelTable::fastest(table, Precision::f32)) {
  has_screen = can_screen(table);
  exact = has_screen ? KernelTable::accurate(table) : KernelTable::fastest(table, Precision::f64);
}

bool LabelTables::can_screen(const DensityTable& table) {
  if (screen.precision != Precision::f32 || screen.kind != KernelTable::Kind::whitened ||
      table.n_components() == 1) {
    return false;
  }
  constexpr double e = 0x1p-24;
  const auto n = static_cast<double>(table.n_features());
  double triangle = 0.0;
  for (const Matrix& whitening : screen.whitening) triangle = std::max(triangle, whitening.norm());
  slope = 4.0 * (n + 4.0) * e * triangle;
  reach = screen.means.rowwise().norm().maxCoeff();
  rounding = 2.0 * (n + 3.0) * e;
  scale = screen.log_scale.cwiseAbs().maxCoeff();
  const double usual = std::sqrt(n + 2.0 * scale);  // of |y|, near the border of two components
  const double margin = slope * usual * 2.0 * reach + rounding * (n + 2.0 * scale);
  screens_draws = margin < widest_margin_of_draws;
  return margin < widest_margin;
}

namespace {

class OnlyLabel final : public LabelPass {
 public:
  void labels(Index begin, Index end, int* out) override { std::fill_n(out, end - begin, 0); }
};

}  // namespace

HWY_EXPORT(make_label_pass);

std::unique_ptr<LabelPass> make_label_pass(const LabelTables& tables, SampleView samples) {
  if (tables.exact.n_components() == 1) return std::make_unique<OnlyLabel>();
  return HWY_DYNAMIC_DISPATCH(make_label_pass)(tables, samples);
}

}  // namespace lbw
#endif  // HWY_ONCE
