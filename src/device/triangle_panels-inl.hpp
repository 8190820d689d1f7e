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
        for_each_tile<n_vectors / 2>(panel + i, first, last, SubtractSquares{out + i});
      } else {
        for_each_tile<n_vectors>(panel + i, first, last, SubtractSquares{out + i});
      }
    }
  }

  /// out[row * panel_points + i] = row of triangle * column - shift, for all points of a panel.
  HWY_INLINE void multiply(const T* panel, T* out) const {
    for (Index i = 0; i < panel_points<T>; i += n_vectors * lanes<T>()) {
      for_each_tile<n_vectors>(panel + i, 0, n_tiles_, StoreRows{out + i});
    }
  }

 private:
  static constexpr int most_rows = 6;
  static constexpr int n_vectors = many_registers ? 4 : 2;

  /// What happens to the rows of a product, in the order of the rows.
  struct SubtractSquares {
    T* out;

    template <int Rows, int Vectors>
    HWY_INLINE void take(Index /*row*/, const Vec<T> (&sums)[Rows][Vectors]) const {
      const Tag<T> d;
      LBW_UNROLL
      for (int v = 0; v < Vectors; ++v) {
        Vec<T> rest = hn::Load(d, out + v * lanes<T>());
        LBW_UNROLL
        for (int r = 0; r < Rows; ++r) rest = hn::NegMulAdd(sums[r][v], sums[r][v], rest);
        hn::Store(rest, d, out + v * lanes<T>());
      }
    }
  };

  struct StoreRows {
    T* out;

    template <int Rows, int Vectors>
    HWY_INLINE void take(Index row, const Vec<T> (&sums)[Rows][Vectors]) const {
      LBW_UNROLL
      for (int r = 0; r < Rows; ++r) {
        LBW_UNROLL
        for (int v = 0; v < Vectors; ++v) {
          hn::Store(sums[r][v], Tag<T>(), out + (row + r) * panel_points<T> + v * lanes<T>());
        }
      }
    }
  };

  /// Tiles have nearly equal sizes.
  Index begin(Index tile) const { return tile * n_rows_ / n_tiles_; }

  template <int Vectors, typename Result>
  HWY_INLINE void for_each_tile(const T* panel, Index first, Index last,
                                const Result& result) const {
    for (Index tile = first; tile < last; ++tile) {
      const T* const factor = values_.data() + offsets_[static_cast<std::size_t>(tile)];
      multiply_tile<most_rows, Vectors>(begin(tile), begin(tile + 1), panel, factor, result);
    }
  }

  template <int Rows, int Vectors, typename Result>
  static HWY_INLINE void multiply_tile(Index first_row, Index last_row, const T* panel,
                                       const T* factor, const Result& result) {
    if constexpr (Rows > 1) {
      if (last_row - first_row < Rows) {
        return multiply_tile<Rows - 1, Vectors>(first_row, last_row, panel, factor, result);
      }
    }
    multiply_rows<Rows, Vectors>(last_row, panel, factor, result);
  }

  template <int Rows, int Vectors, typename Result>
  static HWY_NOINLINE void multiply_rows(Index n_columns, const T* panel, const T* factor,
                                         const Result& result) {
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
    result.take(n_columns - Rows, sums);
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
