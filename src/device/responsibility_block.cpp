// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/responsibility_block.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/contrib/math/math-inl.h>

#include <limits>

#include "device/load_weights.hpp"
#include "device/responsibility-inl.hpp"
#include "device/responsibility_block.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

template <typename T>
HWY_INLINE void normalize_rows(Rows<T>& joint, Index n_components, Index count, T relevant,
                               const T* weights, T* log_density) {
  static_assert(relevant_to_densities<T> <= -ExpConstants<T>::cutoff);
  const Tag<T> d;
  const Index step = lanes<T>();
  const Vec<T> tiny = hn::Set(d, std::numeric_limits<T>::min());
  const Vec<T> nowhere = hn::Set(d, -std::numeric_limits<T>::infinity());
  for (Index first = 0; first < count; first += group_vectors * step) {
    Vec<T> largest[group_vectors];
    Vec<T> sum[group_vectors];
    largest_joint<T>(joint.row(0) + first, n_components, largest);
    exponentials<T>(joint.row(0) + first, n_components, largest, sum, -relevant);
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

void normalize_doubles(Rows<double>& joint, Index n_components, Index count, double relevant,
                       const double* weights, double* log_density) {
  normalize_rows(joint, n_components, count, relevant, weights, log_density);
}

void normalize_floats(Rows<float>& joint, Index n_components, Index count, float relevant,
                      const float* weights, float* log_density) {
  normalize_rows(joint, n_components, count, relevant, weights, log_density);
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(normalize_doubles);
HWY_EXPORT(normalize_floats);

template <>
void normalize(Rows<double>& joint, Index n_components, Index count, double relevant,
               const double* weights, double* log_density) {
  HWY_DYNAMIC_DISPATCH(normalize_doubles)
  (joint, n_components, count, relevant, weights, log_density);
}

template <>
void normalize(Rows<float>& joint, Index n_components, Index count, float relevant,
               const float* weights, float* log_density) {
  HWY_DYNAMIC_DISPATCH(normalize_floats)
  (joint, n_components, count, relevant, weights, log_density);
}

template <typename T>
void ResponsibilityBlock<T>::find(const WeightedSamples& samples, Index first, Index count,
                                  double weight_scale) {
  model->load(samples.samples, first, count);
  load_weights(samples, first, count, weight_scale, weights.data());
  model->evaluate(count, relevant + T{1}, joint);  // values on the border are computed
  normalize(joint, n_components, count, relevant, weights.data(), log_density.data());
}

template struct ResponsibilityBlock<double>;
template struct ResponsibilityBlock<float>;

}  // namespace lbw
#endif  // HWY_ONCE
