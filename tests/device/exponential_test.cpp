// SPDX-License-Identifier: MIT
#include "device/exponential-inl.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lbw {
namespace {

template <typename T>
T exponential(T x) {
  const hwy::HWY_NAMESPACE::ScalableTag<T> d;
  return hwy::HWY_NAMESPACE::GetLane(HWY_NAMESPACE::exp_at_most_zero<T>(
      hwy::HWY_NAMESPACE::Set(d, x),
      hwy::HWY_NAMESPACE::Set(d, HWY_NAMESPACE::ExpConstants<T>::cutoff)));
}

template <typename T>
void expect_within_ulps(double ulps, T lowest) {
  for (int i = 0; i <= 200'000; ++i) {
    const T x = lowest * static_cast<T>(i) / T(200'000);
    if (x <= lowest) continue;
    const double expected = std::exp(static_cast<double>(x));
    EXPECT_NEAR(static_cast<double>(exponential(x)), expected,
                ulps * expected * static_cast<double>(std::numeric_limits<T>::epsilon()))
        << x;
  }
}

TEST(Exponential, IsWithinAnUlp) {
  expect_within_ulps<double>(1.0, -300.0);
  expect_within_ulps<float>(1.5, -60.0F);
}

TEST(Exponential, IsOneAtZeroAndZeroBelowTheCutoff) {
  EXPECT_EQ(exponential(0.0), 1.0);
  EXPECT_EQ(exponential(0.0F), 1.0F);
  for (const double x : {-300.0, -1e5, -std::numeric_limits<double>::infinity(),
                         std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(exponential(x), 0.0) << x;
  }
  EXPECT_EQ(exponential(-60.0F), 0.0F);
}

}  // namespace
}  // namespace lbw
