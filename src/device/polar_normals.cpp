// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/polar_normals.cpp"
#include <hwy/foreach_target.h>
// foreach_target comes first
#include <hwy/contrib/math/math-inl.h>

#include "device/polar_normals.hpp"
#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

void finish_polar_normals(Index n, const double* squared_radii, double* coordinates) {
  const Tag<double> d;
  const Vec<double> minus_two = hn::Set(d, -2.0);
  for (Index i = 0; i < n; i += static_cast<Index>(hn::Lanes(d))) {
    const Vec<double> radius = hn::LoadU(d, squared_radii + i);
    const Vec<double> scale = hn::Sqrt(hn::Div(hn::Mul(minus_two, hn::Log(d, radius)), radius));
    hn::StoreU(hn::Mul(hn::LoadU(d, coordinates + i), scale), d, coordinates + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lbw {

HWY_EXPORT(finish_polar_normals);

void finish_polar_normals(Index n, const double* squared_radii, double* coordinates) {
  HWY_DYNAMIC_DISPATCH(finish_polar_normals)(n, squared_radii, coordinates);
}

}  // namespace lbw
#endif  // HWY_ONCE
