// SPDX-License-Identifier: MIT
// The points of a block that belong to one component, times the root of their weight.
#if defined(LBW_DEVICE_ROOT_PANELS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_ROOT_PANELS_INL_HPP
#undef LBW_DEVICE_ROOT_PANELS_INL_HPP
#else
#define LBW_DEVICE_ROOT_PANELS_INL_HPP
#endif

#include "device/point_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Points of one component about its center, times the root of their weight: z = sqrt(weight) *
/// (x - center). Panels hold as many features as a vector has lanes, point after point, so one copy
/// of z serves both sides of the product z z^T.
template <typename T>
class RootPanels {
 public:
  /// Points that are collected before they are multiplied.
  static constexpr Index capacity = 128;

  RootPanels() = default;
  explicit RootPanels(Index n_features) : values_(panels_of_features(n_features) * apart()) {}

  static Index panels_of_features(Index n_features) {
    return padded_features<T>(n_features) / lanes<T>();
  }
  /// The extra cache line prevents panels from sharing the same cache sets.
  static Index apart() { return capacity * lanes<T>() + 64 / static_cast<Index>(sizeof(T)); }

  [[nodiscard]] bool is_empty() const { return values_.size() == 0; }
  [[nodiscard]] HWY_INLINE T* panel(Index i) const { return values_.data() + i * apart(); }

  Index count = 0;  ///< of collected points

 private:
  AlignedArray<T> values_;
};

/// The points of a block that have a weight for one component, and working memory for them. One
/// object serves all components, so that its memory stays in the cache.
template <typename T>
class WeightedRows {
 public:
  explicit WeightedRows(const PointRows<T>& rows) : rows_(rows), panels_(rows.n_features()) {
    for (Index i = 0; i < block_points<T>; ++i) all_points_[i] = static_cast<int>(i);
  }

  /// A point without weight would add exactly 0. `weights` are 0 from `count` up to whole vectors.
  HWY_INLINE void choose(const T* weights, Index count) {
    const Tag<T> d;
    weight_ = sum_of(weights, count);
    bool has_zeros = false;
    for (Index i = 0; i < count; i += lanes<T>()) {
      const Vec<T> weight = hn::Load(d, weights + i);
      has_zeros |= !hn::AllFalse(d, hn::Eq(weight, hn::Zero(d)));
      hn::Store(hn::Sqrt(weight), d, all_roots_.data() + i);
    }
    points_ = all_points_.data();
    roots_ = all_roots_.data();
    count_ = count;
    if (has_zeros) leave_out_zeros(weights, count);
  }

  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] Index count() const { return count_; }
  [[nodiscard]] RootPanels<T>& panels() { return panels_; }

  /// Appends z of `count` chosen points from `first` on to some panels, and returns the sums of
  /// weight * (x - center) in `sums`.
  template <int Panels>
  HWY_INLINE void collect(Index first, Index count, Index panel, const T* center, RootPanels<T>& to,
                          Vec<T>* sums) const {
    const Tag<T> d;
    const Index step = lanes<T>();
    Vec<T> shifts[Panels];
    LBW_UNROLL
    for (int p = 0; p < Panels; ++p) {
      shifts[p] = hn::Load(d, center + (panel + p) * step);
      sums[p] = hn::Zero(d);
    }
    T* out = to.panel(panel) + to.count * step;
    for (Index i = first; i < first + count; ++i) {
      const T* const point = rows_.row(points_[i]) + panel * step;
      const Vec<T> root = hn::Set(d, roots_[i]);
      LBW_UNROLL
      for (int p = 0; p < Panels; ++p) {
        const Vec<T> z = hn::Mul(root, hn::Sub(hn::Load(d, point + p * step), shifts[p]));
        hn::Store(z, d, out + p * RootPanels<T>::apart());
        sums[p] = hn::MulAdd(root, z, sums[p]);
      }
      out += step;
    }
  }

 private:
  static HWY_INLINE double sum_of(const T* weights, Index count) {
    Vec<double> sum = hn::Zero(Tag<double>());
    for (Index i = 0; i < count; i += lanes<double>()) {
      sum = hn::Add(sum, load_doubles(weights + i));
    }
    return sum_lanes<double>(sum);
  }

  HWY_INLINE void leave_out_zeros(const T* weights, Index count) {
    count_ = 0;
    for (Index i = 0; i < count; ++i) {
      some_points_[count_] = static_cast<int>(i);
      some_roots_[count_] = all_roots_[i];
      count_ += weights[i] != T{0} ? 1 : 0;
    }
    points_ = some_points_.data();
    roots_ = some_roots_.data();
  }

  const PointRows<T>& rows_;
  RootPanels<T> panels_;
  double weight_ = 0.0;
  Index count_ = 0;
  const int* points_ = nullptr;  ///< the chosen ones
  const T* roots_ = nullptr;     ///< of their weights
  AlignedArray<int> all_points_{block_points<T>};
  AlignedArray<int> some_points_{block_points<T>};
  AlignedArray<T> all_roots_{block_points<T>};
  AlignedArray<T> some_roots_{block_points<T>};
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
