// SPDX-License-Identifier: MIT
// From log joint densities to responsibilities, for a block of points.
#if defined(LBW_DEVICE_RESPONSIBILITY_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_RESPONSIBILITY_INL_HPP
#undef LBW_DEVICE_RESPONSIBILITY_INL_HPP
#else
#define LBW_DEVICE_RESPONSIBILITY_INL_HPP
#endif

#include <hwy/contrib/math/math-inl.h>

#include <limits>

#include "device/exponential-inl.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// The largest of the joint densities of a group of points, and finite: where all are -infinity,
/// differences to it must not be NaN.
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

/// joint becomes exp(joint - largest); returns in `sum` the sum over components. A component that
/// none of the points belongs to costs a comparison.
template <typename T>
HWY_INLINE void exponentials(T* joint, Index n_components, const Vec<T>* largest, Vec<T>* sum) {
  const Tag<T> d;
  const Index step = lanes<T>();
  const Vec<T> cutoff = hn::Set(d, ExpConstants<T>::cutoff);
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
        const Vec<T> value = exp_at_most_zero<T>(exponent[v]);
        sum[v] = hn::Add(sum[v], value);
        hn::Store(value, d, joint + v * step);
      }
    }
    joint += row_stride<T>;
  }
}

/// joint (n_components rows) becomes weight * responsibility, log_density the log of the mixture's
/// density, for n_vectors vectors of points. A point so far out that every density is 0 belongs to
/// no component and has log density -infinity.
template <typename T>
HWY_INLINE void normalize(Rows<T>& joint, Index n_components, Index n_vectors, const T* weights,
                          T* log_density) {
  const Tag<T> d;
  const Index step = lanes<T>();
  const Vec<T> tiny = hn::Set(d, std::numeric_limits<T>::min());
  const Vec<T> nowhere = hn::Set(d, -std::numeric_limits<T>::infinity());
  for (Index first = 0; first < n_vectors * step; first += group_vectors * step) {
    Vec<T> largest[group_vectors];
    Vec<T> sum[group_vectors];
    largest_joint<T>(joint.row(0) + first, n_components, largest);
    exponentials<T>(joint.row(0) + first, n_components, largest, sum);
    Vec<T> scale[group_vectors];
    LBW_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      const Vec<T> total = hn::Max(sum[v], tiny);
      scale[v] = hn::Div(hn::Load(d, weights + first + v * step), total);
      const Vec<T> density = hn::Add(largest[v], hn::Log(d, total));
      hn::Store(hn::IfThenElse(hn::Gt(sum[v], hn::Zero(d)), density, nowhere), d,
                log_density + first + v * step);
    }
    T* row = joint.row(0) + first;
    for (Index k = 0; k < n_components; ++k) {
      LBW_UNROLL
      for (int v = 0; v < group_vectors; ++v) {
        hn::Store(hn::Mul(scale[v], hn::Load(d, row + v * step)), d, row + v * step);
      }
      row += row_stride<T>;
    }
  }
}

/// The sum of a row, lane by lane; n_vectors is even.
template <typename T>
HWY_INLINE Vec<T> row_sum(const T* row, Index n_vectors) {
  const Tag<T> d;
  const Index step = lanes<T>();
  Vec<T> even = hn::Zero(d);
  Vec<T> odd = hn::Zero(d);
  for (Index v = 0; v < n_vectors; v += 2) {
    even = hn::Add(even, hn::Load(d, row + v * step));
    odd = hn::Add(odd, hn::Load(d, row + (v + 1) * step));
  }
  return hn::Add(even, odd);
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
