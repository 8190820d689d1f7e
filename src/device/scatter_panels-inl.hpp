// SPDX-License-Identifier: MIT
// Weighted first and second moments of one component about a center, as a symmetric matrix product.
#if defined(LBW_DEVICE_SCATTER_PANELS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_SCATTER_PANELS_INL_HPP
#undef LBW_DEVICE_SCATTER_PANELS_INL_HPP
#else
#define LBW_DEVICE_SCATTER_PANELS_INL_HPP
#endif

#include <hwy/cache_control.h>

#include <utility>

#include "device/root_panels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Sums of weight, weight * (x - center) and weight * (x - center) (x - center)^T. Tiles of the
/// product z z^T have a few rows, one value each, and a few panels of columns, and are added to
/// sums in double precision once for all collected points.
template <typename T>
class ScatterPanels {
 public:
  explicit ScatterPanels(Index n_features)
      : n_features_(n_features),
        n_panels_(RootPanels<T>::panels_of_features(n_features)),
        first_(n_panels_ * lanes<T>()),
        second_(size_of_tiles()) {}

  /// Adds points. If there are few, they are kept until there are more.
  /// @param center  n_features numbers, then 0 up to whole vectors
  HWY_INLINE void add(WeightedRows<T>& points, const T* center) {
    const Index n = points.count();
    weight_ += points.weight();
    if (n < fewest_at_once) return keep(points, center);
    const Index n_parts = (n + capacity - 1) / capacity;
    for (Index part = 0; part < n_parts; ++part) {
      const Index begin = part * n / n_parts;
      collect(points, begin, (part + 1) * n / n_parts - begin, center, points.panels());
      multiply(points.panels());
    }
  }

  /// Adds all sums so far to a row of PassSums::moments, and starts again from 0. Returns the
  /// weight of all points.
  double flush(double* moments) {
    if (kept_.count > 0) multiply(kept_);
    *moments++ += weight_;
    for (Index f = 0; f < n_features_; ++f) *moments++ += first_[f];
    for_each_tile([&](Index row, Index begin, Index n_tile_panels, Index offset) {
      const Index width = n_tile_panels * lanes<T>();
      for (Index r = row; r < std::min(row + n_rows, n_features_); ++r) {
        const double* const sums = second_.data() + offset + (r - row) * width;
        double* const to = moments + r * (r + 1) / 2 + begin * lanes<T>();
        const Index n_columns = std::min(width, r + 1 - begin * lanes<T>());
        for (Index column = 0; column < n_columns; ++column) to[column] += sums[column];
      }
    });
    first_.fill(0.0);
    second_.fill(0.0);
    return std::exchange(weight_, 0.0);
  }

 private:
  static constexpr int most_rows = many_registers ? 8 : 4;
  static constexpr int n_lanes = static_cast<int>(hn::MaxLanes(Tag<T>()));
  /// Rows and panels of a tile.
  static constexpr int n_rows = n_lanes < most_rows ? n_lanes : most_rows;
  static constexpr int most_tile_panels = n_rows > 2 ? 3 : 6;
  static constexpr int panels_at_once = 4;
  static constexpr Index capacity = RootPanels<T>::capacity;
  /// Fewer points would not be worth reading and writing all sums.
  static constexpr Index fewest_at_once = capacity / 2;

  /// Panels that hold columns up to the diagonal of the tile of a row.
  static Index panels_to(Index row) { return (row - row % n_rows + n_rows - 1) / lanes<T>() + 1; }
  /// Calls visit(row, first panel of columns, number of panels, where its sums begin) for all tiles
  /// in the order of their sums. The columns of a group of panels stay in the first-level cache
  /// while all rows pass by.
  template <typename Visit>
  HWY_INLINE void for_each_tile(const Visit& visit) const {
    const Index n_groups = (n_panels_ + most_tile_panels - 1) / most_tile_panels;
    Index offset = 0;
    for (Index group = 0; group < n_groups; ++group) {
      const Index begin = group * n_panels_ / n_groups;
      const Index end = (group + 1) * n_panels_ / n_groups;
      for (Index row = begin * lanes<T>(); row < n_features_; row += n_rows) {
        const Index n_tile_panels = std::min(end, panels_to(row)) - begin;
        visit(row, begin, n_tile_panels, offset);
        offset += n_rows * n_tile_panels * lanes<T>();
      }
    }
  }

  [[nodiscard]] Index size_of_tiles() const {
    Index size = 0;
    for_each_tile([&](Index /*row*/, Index /*begin*/, Index n_tile_panels, Index offset) {
      size = offset + n_rows * n_tile_panels * lanes<T>();
    });
    return size;
  }

  /// Points wait in panels of their own.
  HWY_NOINLINE void keep(const WeightedRows<T>& points, const T* center) {
    if (kept_.is_empty() && points.count() > 0) kept_ = RootPanels<T>(n_features_);
    for (Index first = 0; first < points.count();) {
      const Index n = std::min(points.count() - first, capacity - kept_.count);
      collect(points, first, n, center, kept_);
      if (kept_.count == capacity) multiply(kept_);
      first += n;
    }
  }

  HWY_INLINE void collect(const WeightedRows<T>& points, Index first, Index count, const T* center,
                          RootPanels<T>& to) const {
    Index panel = 0;
    for (; panel + panels_at_once <= n_panels_; panel += panels_at_once) {
      collect_panels<panels_at_once>(points, first, count, panel, center, to);
    }
    for (; panel < n_panels_; ++panel) {
      collect_panels<1>(points, first, count, panel, center, to);
    }
    to.count += count;
  }

  template <int Panels>
  HWY_INLINE void collect_panels(const WeightedRows<T>& points, Index first, Index count,
                                 Index panel, const T* center, RootPanels<T>& to) const {
    Vec<T> sums[Panels];
    points.template collect<Panels>(first, count, panel, center, to, sums);
    LBW_UNROLL
    for (int p = 0; p < Panels; ++p) add_to(first_.data() + (panel + p) * lanes<T>(), sums[p]);
  }

  void multiply(RootPanels<T>& points) const {
    for_each_tile([&](Index row, Index begin, Index n_tile_panels, Index offset) {
      double* const sums = second_.data() + offset;
      add_tile<most_tile_panels>(points, n_tile_panels, row, begin, sums);
    });
    points.count = 0;
  }

  template <int Panels>
  HWY_INLINE void add_tile(const RootPanels<T>& points, Index n_tile_panels, Index row, Index begin,
                           double* to) const {
    if constexpr (Panels > 1) {
      if (n_tile_panels < Panels) {
        return add_tile<Panels - 1>(points, n_tile_panels, row, begin, to);
      }
    }
    add_rows<n_rows, Panels>(points, row, begin, to);
  }

  /// The last rows of the matrix may be fewer.
  template <int Rows, int Panels>
  HWY_INLINE void add_rows(const RootPanels<T>& points, Index row, Index begin, double* to) const {
    if constexpr (Rows > 2) {
      if (n_features_ - row <= Rows - 2) return add_rows<Rows - 2, Panels>(points, row, begin, to);
    }
    add_products<Rows, Panels>(points, row, begin, to);
  }

  /// to += z_rows z_columns^T for one tile.
  template <int Rows, int Panels>
  HWY_NOINLINE static void add_products(const RootPanels<T>& points, Index row, Index begin,
                                        double* to) {
    const Tag<T> d;
    const T* left = points.panel(row / lanes<T>()) + row % lanes<T>();
    const T* right = points.panel(begin);
    const Index stride = RootPanels<T>::apart();
    for (Index i = 0; i < Rows * Panels * lanes<T>(); i += 8) hwy::Prefetch(to + i);
    Vec<T> sums[Rows][Panels];
    LBW_UNROLL
    for (int r = 0; r < Rows; ++r) {
      LBW_UNROLL
      for (int p = 0; p < Panels; ++p) sums[r][p] = hn::Zero(d);
    }
    for (Index i = 0; i < points.count; ++i) {
      Vec<T> columns[Panels];
      LBW_UNROLL
      for (int p = 0; p < Panels; ++p) columns[p] = hn::Load(d, right + p * stride);
      LBW_UNROLL
      for (int r = 0; r < Rows; ++r) {
        const Vec<T> value = hn::Set(d, left[r]);
        LBW_UNROLL
        for (int p = 0; p < Panels; ++p) sums[r][p] = hn::MulAdd(value, columns[p], sums[r][p]);
      }
      left += lanes<T>();
      right += lanes<T>();
    }
    LBW_UNROLL
    for (int r = 0; r < Rows; ++r) {
      LBW_UNROLL
      for (int p = 0; p < Panels; ++p) add_to(to + (r * Panels + p) * lanes<T>(), sums[r][p]);
    }
  }

  static HWY_INLINE void add_to(double* sums, Vec<T> values) {
    const Tag<double> d;
    if constexpr (std::is_same_v<T, double>) {
      hn::Store(hn::Add(hn::Load(d, sums), values), d, sums);
    } else {
      HWY_ALIGN T stored[HWY_MAX_BYTES / sizeof(T)];
      hn::Store(values, Tag<T>(), stored);
      for (Index i = 0; i < lanes<T>(); i += lanes<double>()) {
        const Vec<double> part =
            hn::PromoteTo(d, hn::Load(hn::Rebind<float, Tag<double>>(), stored + i));
        hn::Store(hn::Add(hn::Load(d, sums + i), part), d, sums + i);
      }
    }
  }

  Index n_features_;
  Index n_panels_;
  RootPanels<T> kept_;  ///< empty until there are few points in a block
  double weight_ = 0.0;
  AlignedArray<double> first_;
  AlignedArray<double> second_;  ///< tile after tile, each row after row
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
