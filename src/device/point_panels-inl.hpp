// SPDX-License-Identifier: MIT
// The points of a block in panels, so that matrix products read memory from front to back.
#if defined(LBW_DEVICE_POINT_PANELS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_POINT_PANELS_INL_HPP
#undef LBW_DEVICE_POINT_PANELS_INL_HPP
#else
#define LBW_DEVICE_POINT_PANELS_INL_HPP
#endif

#include "device/point_rows-inl.hpp"
#include "device/transpose-inl.hpp"

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

/// The points of a block twice: as rows, and with features in rows of panel_points values, one
/// panel after the other.
template <typename T>
class PointPanels {
 public:
  PointPanels(const Vector& origin, Index n_panels)
      : n_features_(origin.size()),
        rows_(origin, n_panels * panel_points<T>),
        values_(n_panels * n_features_ * panel_points<T>) {}

  [[nodiscard]] const PointRows<T>& rows() const { return rows_; }
  [[nodiscard]] T* panel(Index i) const {
    return values_.data() + i * n_features_ * panel_points<T>;
  }

  /// Samples [begin, begin + count) about the origin, and 0 up to the end of the last panel.
  void load(SampleView samples, Index begin, Index count) {
    const Index step = lanes<T>();
    for (Index i = 0; i < panels_of<T>(count) * panel_points<T>; i += step) {
      const Index n = std::clamp<Index>(count - i, 0, step);
      rows_.load(samples, begin + i, n, i);
      rows_.clear(i + n, step - n);
      T* const to = panel(i / panel_points<T>) + i % panel_points<T>;
      for (Index f = 0; f < n_features_; f += step) {
        turn_rows(rows_.row(i) + f, std::min(step, n_features_ - f), to + f * panel_points<T>);
      }
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

  /// to = features of some points of the block minus the center, as a panel. Points from `count` up
  /// to whole vectors repeat the last one.
  /// @param center  n_features numbers, then any up to whole vectors
  HWY_INLINE void gather(const int* points, Index count, const T* center, T* to) const {
    const Tag<T> d;
    for (Index i = 0; i < count; i += lanes<T>()) {
      const T* rows[square_rows<T>];
      for (int r = 0; r < square_rows<T>; ++r) {
        rows[r] = rows_.row(points[std::min<Index>(i + r, count - 1)]);
      }
      for (Index f = 0; f < n_features_; f += lanes<T>()) {
        const Vec<T> shift = hn::Load(d, center + f);
        Vec<T> square[square_rows<T>];
        LBW_UNROLL
        for (int r = 0; r < square_rows<T>; ++r)
          square[r] = hn::Sub(hn::Load(d, rows[r] + f), shift);
        turn(square, std::min(lanes<T>(), n_features_ - f), to + f * panel_points<T> + i);
      }
    }
  }

 private:
  /// to[f * panel_points + i] = feature f of row i, for as many rows as a vector has lanes.
  static HWY_INLINE void turn(Vec<T>* square, Index n_features, T* to) {
    transpose_square<T>(square);
    LBW_UNROLL
    for (int r = 0; r < square_rows<T>; ++r) {
      if (r < n_features) hn::Store(square[r], Tag<T>(), to + r * panel_points<T>);
    }
  }

  HWY_INLINE void turn_rows(const T* from, Index n_features, T* to) const {
    Vec<T> square[square_rows<T>];
    LBW_UNROLL
    for (int r = 0; r < square_rows<T>; ++r) {
      square[r] = hn::Load(Tag<T>(), from + r * rows_.apart());
    }
    turn(square, n_features, to);
  }

  Index n_features_;
  PointRows<T> rows_;
  AlignedArray<T> values_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
