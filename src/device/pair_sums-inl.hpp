// SPDX-License-Identifier: MIT
// Weighted sums of products of all pairs of rows: the second moments of one component.
#if defined(LBW_DEVICE_PAIR_SUMS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_PAIR_SUMS_INL_HPP
#undef LBW_DEVICE_PAIR_SUMS_INL_HPP
#else
#define LBW_DEVICE_PAIR_SUMS_INL_HPP
#endif

#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

template <typename T>
class PairSums {
 public:
  /// sums[(a (a + 1) / 2 + b) * lanes ...] += weights * rows.row(a) * rows.row(b), b <= a, summed
  /// over vectors. There is an even number of rows, at least n_rows.
  static HWY_INLINE void add(const T* weights, const Rows<T>& rows, Index n_rows, Index n_vectors,
                             T* sums) {
    for (Index a = 0; a < n_rows; a += 2) {
      for (Index b = 0; b <= a; b += column_tile) {
        const Tile tile{weights, rows.row(a), rows.row(b), a, b, n_rows, n_vectors, sums};
        switch (std::min<Index>(column_tile, a + 2 - b)) {
          case 2:
            add_tile<2>(tile);
            break;
          case 4:
            add_tile<4>(tile);
            break;
          case 6:
            add_tile<6>(tile);
            break;
          case 8:
            add_tile<8>(tile);
            break;
          default:
            add_tile<10>(tile);
            break;
        }
      }
    }
  }

 private:
  static constexpr Index column_tile = many_registers ? 10 : 4;

  struct Tile {
    const T* weights;
    const T* left;   ///< rows a and a + 1
    const T* right;  ///< rows b, b + 1, ...
    Index a;
    Index b;
    Index n_rows;
    Index n_vectors;
    T* sums;
  };

  template <int Columns>
  static HWY_INLINE void add_tile(const Tile& tile) {
    const Tag<T> d;
    Vec<T> upper[Columns];
    Vec<T> lower[Columns];
    LBW_UNROLL
    for (int c = 0; c < Columns; ++c) upper[c] = lower[c] = hn::Zero(d);
    for (Index i = 0; i < tile.n_vectors * lanes<T>(); i += lanes<T>()) {
      const Vec<T> weight = hn::Load(d, tile.weights + i);
      const Vec<T> left = hn::Mul(weight, hn::Load(d, tile.left + i));
      const Vec<T> next = hn::Mul(weight, hn::Load(d, tile.left + row_stride<T> + i));
      LBW_UNROLL
      for (int c = 0; c < Columns; ++c) {
        const Vec<T> right = hn::Load(d, tile.right + c * row_stride<T> + i);
        upper[c] = hn::MulAdd(left, right, upper[c]);
        lower[c] = hn::MulAdd(next, right, lower[c]);
      }
    }
    LBW_UNROLL
    for (int c = 0; c < Columns; ++c) {
      add_to(tile, tile.a, tile.b + c, upper[c]);
      add_to(tile, tile.a + 1, tile.b + c, lower[c]);
    }
  }

  static HWY_INLINE void add_to(const Tile& tile, Index a, Index b, Vec<T> value) {
    if (a >= tile.n_rows || b > a) return;
    T* const out = tile.sums + (a * (a + 1) / 2 + b) * lanes<T>();
    hn::Store(hn::Add(value, hn::Load(Tag<T>(), out)), Tag<T>(), out);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
