// SPDX-License-Identifier: MIT
#include "worker/fma_peak.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "worker/fma_peak.cpp"
#include <hwy/foreach_target.h>  // before highway.h: compiles this file once per instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lbw::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Twelve chains: a multiply-add takes four cycles and two may start in each cycle, so eight chains
/// keep the units busy. Sixteen registers hold twelve chains and the two factors.
template <typename Scalar>
double multiply_adds(std::int64_t rounds) {
  const hn::ScalableTag<Scalar> d;
  const auto factor = hn::Set(d, Scalar(0.999));
  const auto term = hn::Set(d, Scalar(0.001));
  // different starts, because the compiler would compute equal chains once
  auto a = hn::Set(d, Scalar(0.01)), b = hn::Set(d, Scalar(0.02)), c = hn::Set(d, Scalar(0.03));
  auto e = hn::Set(d, Scalar(0.04)), f = hn::Set(d, Scalar(0.05)), g = hn::Set(d, Scalar(0.06));
  auto h = hn::Set(d, Scalar(0.07)), i = hn::Set(d, Scalar(0.08)), j = hn::Set(d, Scalar(0.09));
  auto k = hn::Set(d, Scalar(0.10)), l = hn::Set(d, Scalar(0.11)), m = hn::Set(d, Scalar(0.12));
  for (std::int64_t round = 0; round < rounds; ++round) {
    a = hn::MulAdd(a, factor, term);
    b = hn::MulAdd(b, factor, term);
    c = hn::MulAdd(c, factor, term);
    e = hn::MulAdd(e, factor, term);
    f = hn::MulAdd(f, factor, term);
    g = hn::MulAdd(g, factor, term);
    h = hn::MulAdd(h, factor, term);
    i = hn::MulAdd(i, factor, term);
    j = hn::MulAdd(j, factor, term);
    k = hn::MulAdd(k, factor, term);
    l = hn::MulAdd(l, factor, term);
    m = hn::MulAdd(m, factor, term);
  }
  const auto first = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(f, g));
  const auto second = hn::Add(hn::Add(hn::Add(h, i), hn::Add(j, k)), hn::Add(l, m));
  volatile Scalar used = hn::GetLane(hn::Add(first, second));  // keeps the loop
  static_cast<void>(used);
  return 2.0 * 12.0 * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
}

double multiply_adds_f64(std::int64_t rounds) { return multiply_adds<double>(rounds); }
double multiply_adds_f32(std::int64_t rounds) { return multiply_adds<float>(rounds); }
const char* instruction_set() { return hwy::TargetName(HWY_TARGET); }

}  // namespace lbw::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw::bench {

HWY_EXPORT(multiply_adds_f64);
HWY_EXPORT(multiply_adds_f32);
HWY_EXPORT(instruction_set);

double run_multiply_adds_f64(std::int64_t rounds) {
  return HWY_DYNAMIC_DISPATCH(multiply_adds_f64)(rounds);
}
double run_multiply_adds_f32(std::int64_t rounds) {
  return HWY_DYNAMIC_DISPATCH(multiply_adds_f32)(rounds);
}
std::string best_instruction_set() { return HWY_DYNAMIC_DISPATCH(instruction_set)(); }

}  // namespace lbw::bench
#endif
