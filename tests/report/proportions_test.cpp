// SPDX-License-Identifier: MIT
#include "report/proportions.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lbw {
namespace {

TEST(Proportions, LimitsOfSmallGroupsAreThoseOfTheBinomialDistribution) {
  // Clopper and Pearson: no row of 10 passes, 1 - 0.025^(1/10); the tables of 5 of 10 at 95 %
  const Interval none = proportion_interval(0, 10, 0.95);
  EXPECT_EQ(none.low, 0.0);
  EXPECT_NEAR(none.high, 1.0 - std::pow(0.025, 0.1), 1e-12);
  const Interval half = proportion_interval(5, 10, 0.95);
  EXPECT_NEAR(half.low, 0.187086, 1e-6);
  EXPECT_NEAR(half.high, 0.812914, 1e-6);
  EXPECT_EQ(proportion_interval(10, 10, 0.95).high, 1.0);
}

TEST(Proportions, LimitsOfLargeGroupsSolveWilsonsEquation) {
  const double z = normal_deviations(0.025);
  EXPECT_NEAR(z, 1.959963984540054, 1e-14);
  const Interval limits = proportion_interval(30, 100, 0.95);
  for (const double p : {limits.low, limits.high}) {  // |share - p| = z sqrt(p (1 - p) / n)
    EXPECT_NEAR(std::abs(0.3 - p), z * std::sqrt(p * (1.0 - p) / 100.0), 1e-14);
  }
}

}  // namespace
}  // namespace lbw
