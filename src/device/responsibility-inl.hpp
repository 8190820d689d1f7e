// SPDX-License-Identifier: MIT
// Exponentials of log joint densities, scaled by the largest of each point.
#if defined(LBW_DEVICE_RESPONSIBILITY_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_RESPONSIBILITY_INL_HPP
#undef LBW_DEVICE_RESPONSIBILITY_INL_HPP
#else
#define LBW_DEVICE_RESPONSIBILITY_INL_HPP
#endif

#include "device/exponential-inl.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// The largest joint density of every point of a group. It is finite, so differences to it are not
/// NaN where all densities are -infinity.
template <typename T>
HWY_INLINE void largest_joint(const T* joint, Index n_components, Vec<T>* largest) {
  const Tag<T> d;
  const Index step = lanes<T>();
  LBW_UNROLL
  for (int v = 0; v < group_vectors; ++v) largest[v] = hn::Set(d, hwy::LowestValue<T>());
  for (Index k = 0; k < n_components; ++k) {
    LBW_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      largest[v] = hn::Max(largest[v], hn::Load(d, joint + v * step));
    }
    joint += row_stride<T>;
  }
}

/// joint becomes exp(joint - largest), or 0 if the difference is not above `lowest`, and `sum` its
/// sum over components. A component that is negligible for all points costs one comparison.
template <typename T>
HWY_INLINE void exponentials(T* joint, Index n_components, const Vec<T>* largest, Vec<T>* sum,
                             T lowest = ExpConstants<T>::cutoff) {
  const Tag<T> d;
  const Index step = lanes<T>();
  const Vec<T> cutoff = hn::Set(d, lowest);
  LBW_UNROLL
  for (int v = 0; v < group_vectors; ++v) sum[v] = hn::Zero(d);
  for (Index k = 0; k < n_components; ++k) {
    Vec<T> exponent[group_vectors];
    LBW_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      exponent[v] = hn::Sub(hn::Load(d, joint + v * step), largest[v]);
    }
    const Vec<T> highest =
        hn::Max(hn::Max(exponent[0], exponent[1]), hn::Max(exponent[2], exponent[3]));
    if (hn::AllFalse(d, hn::Gt(highest, cutoff))) {
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) hn::Store(hn::Zero(d), d, joint + v * step);
    } else {
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) {
        const Vec<T> value = exp_at_most_zero<T>(exponent[v], cutoff);
        sum[v] = hn::Add(sum[v], value);
        hn::Store(value, d, joint + v * step);
      }
    }
    joint += row_stride<T>;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
