// SPDX-License-Identifier: MIT
// Products of a triangular matrix and panels of points, in tiles that stay in registers.
#if defined(LBW_DEVICE_TRIANGLE_PANELS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_TRIANGLE_PANELS_INL_HPP
#undef LBW_DEVICE_TRIANGLE_PANELS_INL_HPP
#else
#define LBW_DEVICE_TRIANGLE_PANELS_INL_HPP
#endif

#include <vector>

#include "device/point_panels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// x -> triangle * x - shift for a lower triangular matrix. It is packed in tiles of rows: the
/// negative shift, then column after column up to the diagonal of the last row.
template <typename T>
class TrianglePanels {
 public:
  TrianglePanels(const Matrix& triangle, const Vector& shift)
      : n_rows_(triangle.rows()), n_tiles_((n_rows_ + most_rows - 1) / most_rows), offsets_{0} {
    for (Index tile = 0; tile < n_tiles_; ++tile) {
      offsets_.push_back(offsets_.back() + (begin(tile + 1) - begin(tile)) * (begin(tile + 1) + 1));
    }
    values_ = AlignedArray<T>(offsets_.back());
    T* next = values_.data();
    for (Index tile = 0; tile < n_tiles_; ++tile) {
      for (Index row = begin(tile); row < begin(tile + 1); ++row) {
        *next++ = static_cast<T>(-shift[row]);
      }
      for (Index column = 0; column < begin(tile + 1); ++column) {
        for (Index row = begin(tile); row < begin(tile + 1); ++row) {
          *next++ = column <= row ? static_cast<T>(triangle(row, column)) : T{0};
        }
      }
    }
  }

  [[nodiscard]] Index n_tiles() const { return n_tiles_; }

  /// out -= || triangle * column - shift ||^2 for the first `count` points of a panel, one row
  /// after the other. Only the rows of tiles [first, last) are subtracted. Points from `count` up
  /// to whole vectors are computed as well.
  HWY_INLINE void subtract_squares(const T* panel, Index count, Index first, Index last,
                                   T* out) const {
    for (Index i = 0; i < count; i += n_vectors * lanes<T>()) {
      if (count - i <= n_vectors / 2 * lanes<T>()) {
        subtract_tiles<n_vectors / 2>(panel + i, first, last, out + i);
      } else {
        subtract_tiles<n_vectors>(panel + i, first, last, out + i);
      }
    }
  }

 private:
  static constexpr int most_rows = 6;
  static constexpr int n_vectors = many_registers ? 4 : 2;

  /// Tiles have nearly equal sizes.
  Index begin(Index tile) const { return tile * n_rows_ / n_tiles_; }

  template <int Vectors>
  HWY_INLINE void subtract_tiles(const T* panel, Index first, Index last, T* out) const {
    for (Index tile = first; tile < last; ++tile) {
      const T* const factor = values_.data() + offsets_[static_cast<std::size_t>(tile)];
      subtract_tile<most_rows, Vectors>(begin(tile + 1) - begin(tile), panel, factor,
                                        begin(tile + 1), out);
    }
  }

  template <int Rows, int Vectors>
  static HWY_INLINE void subtract_tile(Index n_rows, const T* panel, const T* factor,
                                       Index n_columns, T* out) {
    if constexpr (Rows > 1) {
      if (n_rows < Rows) {
        return subtract_tile<Rows - 1, Vectors>(n_rows, panel, factor, n_columns, out);
      }
    }
    subtract_rows<Rows, Vectors>(panel, factor, n_columns, out);
  }

  template <int Rows, int Vectors>
  static HWY_NOINLINE void subtract_rows(const T* panel, const T* factor, Index n_columns, T* out) {
    const Tag<T> d;
    const Index step = lanes<T>();
    Vec<T> sums[Rows][Vectors];
    LBW_UNROLL
    for (int r = 0; r < Rows; ++r) {
      LBW_UNROLL
      for (int v = 0; v < Vectors; ++v) sums[r][v] = hn::Set(d, factor[r]);
    }
    for (Index c = 0; c < n_columns; ++c) {
      factor += Rows;
      Vec<T> values[Vectors];
      LBW_UNROLL
      for (int v = 0; v < Vectors; ++v) values[v] = hn::Load(d, panel + v * step);
      LBW_UNROLL
      for (int r = 0; r < Rows; ++r) {
        const Vec<T> entry = hn::Set(d, factor[r]);
        LBW_UNROLL
        for (int v = 0; v < Vectors; ++v) sums[r][v] = hn::MulAdd(entry, values[v], sums[r][v]);
      }
      panel += panel_points<T>;
    }
    LBW_UNROLL
    for (int v = 0; v < Vectors; ++v) {
      Vec<T> rest = hn::Load(d, out + v * step);
      LBW_UNROLL
      for (int r = 0; r < Rows; ++r) rest = hn::NegMulAdd(sums[r][v], sums[r][v], rest);
      hn::Store(rest, d, out + v * step);
    }
  }

  Index n_rows_;
  Index n_tiles_;
  std::vector<Index> offsets_;  ///< where each tile begins
  AlignedArray<T> values_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
