// SPDX-License-Identifier: MIT
// First and second moments of one component about a center, in tiles that stay in registers.
#if defined(LBW_DEVICE_CENTERED_MOMENTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_CENTERED_MOMENTS_INL_HPP
#undef LBW_DEVICE_CENTERED_MOMENTS_INL_HPP
#else
#define LBW_DEVICE_CENTERED_MOMENTS_INL_HPP
#endif

#include "device/ahead-inl.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Every tile computes the differences to the center again. Storing them would cost more, because
/// they do not fit into the first-level cache.
template <typename T>
struct CenteredMoments {
  const T* weights;
  const T* features;  ///< n_features rows
  const T* center;
  Index n_features;
  Index n_vectors;
  T* first;   ///< [f * lanes ...] += weights * difference_f, summed over vectors
  T* second;  ///< [(a (a + 1) / 2 + b) * lanes ...] += weights * difference_a * difference_b, b <=
              ///< a

  /// @param next  memory that is prefetched meanwhile, two lines for each vector of a tile
  HWY_INLINE void add(Ahead next = {}) const {
    for (Index row = 0; row < n_features; row += row_tile) {
      switch (std::min<Index>(row_tile, n_features - row)) {
        case 1:
          add_rows<1>(row, next);
          break;
        case 2:
          add_rows<2>(row, next);
          break;
        case 3:
          add_rows<3>(row, next);
          break;
        default:
          add_rows<4>(row, next);
          break;
      }
    }
  }

 private:
  static constexpr int row_tile = many_registers ? 4 : 2;
  static constexpr int column_tile = many_registers ? 5 : 4;

  template <int Rows>
  HWY_INLINE void add_rows(Index row, Ahead& next) const {
    const Index n_columns = row + Rows;
    for (Index column = 0; column < n_columns; column += column_tile) {
      switch (std::min<Index>(column_tile, n_columns - column)) {
        case 1:
          add_tile<Rows, 1>(row, column, next);
          break;
        case 2:
          add_tile<Rows, 2>(row, column, next);
          break;
        case 3:
          add_tile<Rows, 3>(row, column, next);
          break;
        case 4:
          add_tile<Rows, 4>(row, column, next);
          break;
        default:
          add_tile<Rows, 5>(row, column, next);
          break;
      }
    }
  }

  HWY_INLINE Vec<T> difference(Index feature, Index i) const {
    const Tag<T> d;
    return hn::Sub(hn::Load(d, features + feature * row_stride<T> + i),
                   hn::Set(d, center[feature]));
  }

  template <int Rows, int Columns>
  HWY_INLINE void add_tile(Index row, Index column, Ahead& next) const {
    const Tag<T> d;
    Vec<T> sums[Rows];
    Vec<T> products[Rows][Columns];
    LBW_UNROLL
    for (int r = 0; r < Rows; ++r) {
      sums[r] = hn::Zero(d);
      LBW_UNROLL
      for (int c = 0; c < Columns; ++c) products[r][c] = hn::Zero(d);
    }
    for (Index i = 0; i < n_vectors * lanes<T>(); i += lanes<T>()) {
      next.fetch_lines(2);
      const Vec<T> weight = hn::Load(d, weights + i);
      Vec<T> left[Rows];
      LBW_UNROLL
      for (int r = 0; r < Rows; ++r) {
        left[r] = hn::Mul(weight, difference(row + r, i));
        sums[r] = hn::Add(sums[r], left[r]);
      }
      LBW_UNROLL
      for (int c = 0; c < Columns; ++c) {
        const Vec<T> right = difference(column + c, i);
        LBW_UNROLL
        for (int r = 0; r < Rows; ++r) products[r][c] = hn::MulAdd(left[r], right, products[r][c]);
      }
    }
    LBW_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const Index a = row + r;
      if (column == 0) add_to(first + a * lanes<T>(), sums[r]);
      LBW_UNROLL
      for (int c = 0; c < Columns; ++c) {
        if (column + c <= a) {
          add_to(second + (a * (a + 1) / 2 + column + c) * lanes<T>(), products[r][c]);
        }
      }
    }
  }

  static HWY_INLINE void add_to(T* out, Vec<T> value) {
    hn::Store(hn::Add(hn::Load(Tag<T>(), out), value), Tag<T>(), out);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
