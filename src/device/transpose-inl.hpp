// SPDX-License-Identifier: MIT
// Transposes squares of as many rows as a vector has lanes.
#if defined(LBW_DEVICE_TRANSPOSE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_TRANSPOSE_INL_HPP
#undef LBW_DEVICE_TRANSPOSE_INL_HPP
#else
#define LBW_DEVICE_TRANSPOSE_INL_HPP
#endif

#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

template <typename T>
constexpr int square_rows = static_cast<int>(hn::MaxLanes(Tag<T>()));

#if HWY_TARGET != HWY_SCALAR

/// Exchanges entries (r, c + Step) and (r + Step, c) of all squares of 2 Step rows, where Step is
/// less than the entries of 128 bits: the lower left and the upper right parts.
template <typename T, int Step>
HWY_INLINE void exchange_in_blocks(Vec<T>* rows) {
  const Tag<T> d;
  LBW_UNROLL
  for (int r = 0; r < square_rows<T>; ++r) {
    if ((r & Step) != 0) continue;
    const Vec<T> upper = rows[r];
    const Vec<T> lower = rows[r + Step];
    if constexpr (Step * sizeof(T) == 8) {
      const hn::Repartition<double, Tag<T>> wide;
      const auto a = hn::BitCast(wide, upper);
      const auto b = hn::BitCast(wide, lower);
      rows[r] = hn::BitCast(d, hn::InterleaveLower(wide, a, b));
      rows[r + Step] = hn::BitCast(d, hn::InterleaveUpper(wide, a, b));
    } else {
      rows[r] = hn::OddEven(hn::DupEven(lower), upper);
      rows[r + Step] = hn::OddEven(lower, hn::DupOdd(upper));
    }
  }
}

/// The same for one block of 128 bits, and for two.
template <typename T>
HWY_INLINE void exchange_blocks(Vec<T>* rows) {
  constexpr int step = 16 / sizeof(T);
  LBW_UNROLL
  for (int r = 0; r < square_rows<T>; ++r) {
    if ((r & step) != 0) continue;
    const Vec<T> upper = rows[r];
    const Vec<T> lower = rows[r + step];
    rows[r] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(lower), upper);
    rows[r + step] = hn::OddEvenBlocks(lower, hn::SwapAdjacentBlocks(upper));
  }
}

template <typename T>
HWY_INLINE void exchange_halves(Vec<T>* rows) {
  const Tag<T> d;
  constexpr int step = 32 / sizeof(T);
  LBW_UNROLL
  for (int r = 0; r < step; ++r) {
    const Vec<T> upper = rows[r];
    const Vec<T> lower = rows[r + step];
    rows[r] = hn::ConcatLowerLower(d, lower, upper);
    rows[r + step] = hn::ConcatUpperUpper(d, lower, upper);
  }
}

/// rows[r][c] becomes rows[c][r], for square_rows<T> rows.
template <typename T>
HWY_INLINE void transpose_square(Vec<T>* rows) {
  if constexpr (sizeof(T) == 4) exchange_in_blocks<T, 1>(rows);
  exchange_in_blocks<T, 8 / sizeof(T)>(rows);
  if constexpr (square_rows<T> * sizeof(T) >= 32) exchange_blocks<T>(rows);
  if constexpr (square_rows<T> * sizeof(T) == 64) exchange_halves<T>(rows);
}

#else

template <typename T>
HWY_INLINE void transpose_square(Vec<T>* /*rows*/) {}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
