// SPDX-License-Identifier: MIT
// Weighted first and second moments of one component about a center, as a symmetric matrix product.
#if defined(LBW_DEVICE_SCATTER_PANELS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_SCATTER_PANELS_INL_HPP
#undef LBW_DEVICE_SCATTER_PANELS_INL_HPP
#else
#define LBW_DEVICE_SCATTER_PANELS_INL_HPP
#endif

#include "device/load-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Collects z = sqrt(weight) * (x - center) of points that have a weight. Panels hold as many
/// features as a vector has lanes, point after point, so one copy of z serves both sides of the
/// product z z^T. Its tiles have a few rows, one value each, and a few panels of columns, and are
/// added to sums in double precision once for all collected points.
template <typename T>
class ScatterPanels {
 public:
  explicit ScatterPanels(Index n_features)
      : n_features_(n_features),
        n_panels_((n_features + lanes<T>() - 1) / lanes<T>()),
        panels_(n_panels_ * panel_stride()),
        roots_(capacity),
        first_(n_panels_ * lanes<T>()),
        second_(rows_begin(n_panels_ * lanes<T>())) {}

  /// Adds points, rows of n_features numbers. A point without weight would add exactly 0.
  /// @param center  n_features numbers, then 0 up to whole vectors
  template <typename Input>
  HWY_INLINE void add(const Input* points, Index stride, const double* center, const T* weights,
                      Index count) {
    for (Index i = 0; i < count; ++i) {
      if (weights[i] == T{0}) continue;
      if (count_ == capacity) multiply();
      weight_ += static_cast<double>(weights[i]);
      roots_[count_] = root_of(weights[i]);
      // the last vector of a point may read into the next one
      collect(points + i * stride, center, roots_[count_], i + 1 < count);
      ++count_;
    }
  }

  /// Adds all sums so far to a row of PassSums::moments, and starts again from 0.
  void flush(double* moments) {
    multiply();
    *moments++ += weight_;
    for (Index f = 0; f < n_features_; ++f) *moments++ += first_[f];
    for (Index row = 0; row < n_features_; ++row) {
      const double* sums = second_.data() + rows_begin(row - row % n_rows) +
                           row % n_rows * panels_to(row) * lanes<T>();
      for (Index column = 0; column <= row; ++column) *moments++ += sums[column];
    }
    weight_ = 0.0;
    first_.fill(0.0);
    second_.fill(0.0);
  }

 private:
  static constexpr int most_rows = many_registers ? 8 : 4;
  static constexpr int n_lanes = static_cast<int>(hn::MaxLanes(Tag<T>()));
  /// Rows and panels of a tile.
  static constexpr int n_rows = n_lanes < most_rows ? n_lanes : most_rows;
  static constexpr int most_tile_panels = n_rows > 2 ? 3 : 6;
  /// Points that are collected before they are multiplied.
  static constexpr Index capacity = 128;

  /// The extra cache line prevents panels from sharing the same cache sets.
  static Index panel_stride() { return capacity * lanes<T>() + 64 / static_cast<Index>(sizeof(T)); }
  /// Panels that hold columns up to the diagonal of the tile of a row.
  static Index panels_to(Index row) { return (row - row % n_rows + n_rows - 1) / lanes<T>() + 1; }
  /// Where the sums of a tile of rows begin, all tiles before having panels_to panels of columns.
  static Index rows_begin(Index row) {
    const Index tiles_a_panel = lanes<T>() / n_rows;
    const Index tile = row / n_rows;
    const Index n_full = tile / tiles_a_panel;  // panels of rows before
    const Index n_panels =
        tiles_a_panel * n_full * (n_full + 1) / 2 + tile % tiles_a_panel * (n_full + 1);
    return n_panels * lanes<T>() * n_rows;
  }

  static HWY_INLINE Vec<double> load(const double* values) {
    return hn::LoadU(Tag<double>(), values);
  }
  static HWY_INLINE Vec<double> load(const float* values) {
    const Tag<double> d;
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Tag<double>>(), values));
  }

  static HWY_INLINE T root_of(T weight) {
    return hn::GetLane(hn::Sqrt(hn::Set(hn::CappedTag<T, 1>(), weight)));
  }

  template <typename Input>
  HWY_INLINE void collect(const Input* point, const double* center, T root,
                          bool may_read_on) const {
    const Tag<double> d;
    const Index step = lanes<double>();
    Index f = 0;
    for (; f + step <= n_features_; f += step) {
      store_root(hn::Sub(load(point + f), hn::Load(d, center + f)), root, f);
    }
    if (f == n_features_) return;
    Vec<double> rest = hn::Zero(d);
    if (may_read_on) {
      rest = hn::IfThenElseZero(hn::FirstN(d, static_cast<std::size_t>(n_features_ - f)),
                                load(point + f));
    } else {
      HWY_ALIGN double values[HWY_MAX_BYTES / sizeof(double)] = {};
      for (Index i = f; i < n_features_; ++i) values[i - f] = static_cast<double>(point[i]);
      rest = hn::Load(d, values);
    }
    store_root(hn::Sub(rest, hn::Load(d, center + f)), root, f);
  }

  HWY_INLINE void store_root(Vec<double> difference, T root, Index feature) const {
    const Tag<double> d;
    T* const to = panels_.data() + feature / lanes<T>() * panel_stride() + count_ * lanes<T>() +
                  feature % lanes<T>();
    if constexpr (std::is_same_v<T, double>) {
      hn::Store(hn::Mul(difference, hn::Set(d, root)), d, to);
    } else {
      const hn::Rebind<float, Tag<double>> half;
      hn::Store(hn::Mul(hn::DemoteTo(half, clamped(difference)), hn::Set(half, root)), half, to);
    }
  }

  void multiply() {
    if (count_ == 0) return;
    for (Index panel = 0; panel < n_panels_; ++panel) add_first(panel);
    for (Index row = 0; row < n_features_; row += n_rows) {
      const Index n_columns = panels_to(row);
      const Index n_tiles = (n_columns + most_tile_panels - 1) / most_tile_panels;
      for (Index tile = 0; tile < n_tiles; ++tile) {
        const Index begin = tile * n_columns / n_tiles;
        add_tile<most_tile_panels>((tile + 1) * n_columns / n_tiles - begin, row, begin);
      }
    }
    count_ = 0;
  }

  /// first += root * z in one panel.
  HWY_INLINE void add_first(Index panel) const {
    const Tag<T> d;
    const T* z = panels_.data() + panel * panel_stride();
    Vec<T> sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    Index i = 0;
    for (; i + 4 <= count_; i += 4) {
      LBW_UNROLL
      for (int part = 0; part < 4; ++part) {
        sums[part] = hn::MulAdd(hn::Set(d, roots_[i + part]),
                                hn::Load(d, z + (i + part) * lanes<T>()), sums[part]);
      }
    }
    for (; i < count_; ++i) {
      sums[0] = hn::MulAdd(hn::Set(d, roots_[i]), hn::Load(d, z + i * lanes<T>()), sums[0]);
    }
    add_to(first_.data() + panel * lanes<T>(),
           hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3])));
  }

  template <int Panels>
  HWY_INLINE void add_tile(Index n_tile_panels, Index row, Index begin) const {
    if constexpr (Panels > 1) {
      if (n_tile_panels < Panels) return add_tile<Panels - 1>(n_tile_panels, row, begin);
    }
    if (n_rows > 1 && n_features_ - row <= n_rows / 2) {
      add_products<(n_rows + 1) / 2, Panels>(row, begin);
    } else {
      add_products<n_rows, Panels>(row, begin);
    }
  }

  /// second += z_rows z_columns^T for one tile.
  template <int Rows, int Panels>
  HWY_NOINLINE void add_products(Index row, Index begin) const {
    const Tag<T> d;
    const T* left = panels_.data() + row / lanes<T>() * panel_stride() + row % lanes<T>();
    const T* right = panels_.data() + begin * panel_stride();
    const Index stride = panel_stride();
    Vec<T> sums[Rows][Panels];
    LBW_UNROLL
    for (int r = 0; r < Rows; ++r) {
      LBW_UNROLL
      for (int p = 0; p < Panels; ++p) sums[r][p] = hn::Zero(d);
    }
    for (Index i = 0; i < count_; ++i) {
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
    const Index width = panels_to(row) * lanes<T>();
    double* to = second_.data() + rows_begin(row) + begin * lanes<T>();
    LBW_UNROLL
    for (int r = 0; r < Rows; ++r) {
      LBW_UNROLL
      for (int p = 0; p < Panels; ++p) add_to(to + r * width + p * lanes<T>(), sums[r][p]);
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
        hn::Store(hn::Add(hn::Load(d, sums + i), load(stored + i)), d, sums + i);
      }
    }
  }

  Index n_features_;
  Index n_panels_;
  Index count_ = 0;
  AlignedArray<T> panels_;
  AlignedArray<T> roots_;
  double weight_ = 0.0;
  AlignedArray<double> first_;
  AlignedArray<double> second_;  ///< tiles of rows, each with whole panels up to the diagonal
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
