// SPDX-License-Identifier: MIT
// Helpers that all vector kernels share. Highway compiles the files that include this once per
// instruction set, so the include guard is toggled for each of them instead of #pragma once.
#if defined(LBW_DEVICE_VECTOR_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_VECTOR_INL_HPP
#undef LBW_DEVICE_VECTOR_INL_HPP
#else
#define LBW_DEVICE_VECTOR_INL_HPP
#endif

#include <hwy/highway.h>

#include <lbw/matrix.hpp>

#include "device/rows.hpp"

#ifndef LBW_UNROLL
/// Loops over registers must be unrolled, otherwise the compiler puts the registers into memory.
#define LBW_UNROLL _Pragma("GCC unroll 16")
#endif

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Tag = hn::ScalableTag<T>;
template <typename T>
using Vec = hn::Vec<Tag<T>>;

template <typename T>
HWY_INLINE Index lanes() {
  return static_cast<Index>(hn::Lanes(Tag<T>()));
}

/// AVX-512 and NEON have 32 vector registers, the others 16.
constexpr bool many_registers = HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON;

/// Vectors of points that are worked on together.
constexpr int group_vectors = 4;

/// Vectors that hold `count` points, whole groups of them.
template <typename T>
HWY_INLINE Index vectors_of(Index count) {
  const Index group = group_vectors * lanes<T>();
  return (count + group - 1) / group * group_vectors;
}

template <typename T>
HWY_INLINE double sum_lanes(Vec<T> values) {
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(Tag<T>(), values)));
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
