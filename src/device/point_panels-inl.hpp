// SPDX-License-Identifier: MIT
// The points of a block in panels, so that matrix products read memory from front to back.
#if defined(LBW_DEVICE_POINT_PANELS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_POINT_PANELS_INL_HPP
#undef LBW_DEVICE_POINT_PANELS_INL_HPP
#else
#define LBW_DEVICE_POINT_PANELS_INL_HPP
#endif

#include "device/load-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Points of a panel: 256 bytes for each feature, four of the longest vectors.
template <typename T>
constexpr Index panel_points = 256 / static_cast<Index>(sizeof(T));

template <typename T>
HWY_INLINE Index panels_of(Index count) {
  return (count + panel_points<T> - 1) / panel_points<T>;
}

/// Features in rows of panel_points values, one panel after the other.
template <typename T>
class PointPanels {
 public:
  PointPanels(Index n_features, Index n_panels)
      : n_features_(n_features), values_(n_panels * n_features * panel_points<T>) {}

  [[nodiscard]] T* panel(Index i) const {
    return values_.data() + i * n_features_ * panel_points<T>;
  }

  /// Samples [begin, begin + count) about the origin, and 0 up to the end of the last panel.
  void load(SampleView samples, Index begin, Index count, const Vector& origin) {
    for (Index i = 0; i < panels_of<T>(count) * panel_points<T>; i += strip_points) {
      T* const to = panel(i / panel_points<T>) + i % panel_points<T>;
      const Index n = std::clamp<Index>(count - i, 0, strip_points);
      load_strip_of(samples, begin + i, n, origin, to, panel_points<T>);
    }
  }

  /// out[i] = squared norm of point i of a panel.
  void squared_norms(Index i, T* out) const {
    sum_squares(panel(i), panel_points<T>, n_features_, panel_points<T>, out);
  }

  /// to = features of a panel minus the center.
  HWY_INLINE void subtract(Index i, const T* center, T* to) const {
    const Tag<T> d;
    const T* from = panel(i);
    for (Index f = 0; f < n_features_; ++f) {
      const Vec<T> shift = hn::Set(d, center[f]);
      for (Index v = 0; v < panel_points<T>; v += lanes<T>()) {
        hn::Store(hn::Sub(hn::Load(d, from + v), shift), d, to + v);
      }
      from += panel_points<T>;
      to += panel_points<T>;
    }
  }

  /// to = features of some points of the block minus the center, as a panel.
  HWY_INLINE void gather(const int* points, Index count, const T* center, T* to) const {
    for (Index i = 0; i < count; ++i) {
      const T* from = panel(points[i] / panel_points<T>) + points[i] % panel_points<T>;
      for (Index f = 0; f < n_features_; ++f) {
        to[f * panel_points<T> + i] = from[f * panel_points<T>] - center[f];
      }
    }
  }

 private:
  Index n_features_;
  AlignedArray<T> values_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
