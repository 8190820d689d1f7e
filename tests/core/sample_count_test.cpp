// SPDX-License-Identifier: MIT
#include "core/sample_count.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace lbw {
namespace {

TEST(SampleCount, CountsCopies) {
  const SampleCount counted = sample_count(std::vector<double>{1.0, 2.0, 0.0, 4.0});
  EXPECT_EQ(counted.count, 7.0);
  EXPECT_EQ(counted.unit, 1.0);
  EXPECT_EQ(counted.scale, 1.0);
}

TEST(SampleCount, TakesSmallWeightsAsRelative) {
  const SampleCount equal = sample_count(std::vector<double>(8, 0.125));
  EXPECT_EQ(equal.count, 8.0);
  EXPECT_EQ(equal.unit, 0.125);
  // Kish: (3 / 4)^2 / (1 / 4 + 1 / 16) = 9 / 5
  EXPECT_NEAR(sample_count(std::vector<double>{0.5, 0.25}).count, 1.8, 1e-15);
}

TEST(SampleCount, NeitherOverflowsNorVanishes) {
  for (const double weight : {1e308, 1e200, 1e-200, 1e-308}) {
    const SampleCount counted = sample_count(std::vector<double>(5, weight));
    EXPECT_TRUE(std::isfinite(counted.count)) << weight;
    EXPECT_GE(counted.count, 5.0 - 1e-12) << weight;
    EXPECT_TRUE(std::isfinite(5.0 * (weight * counted.scale))) << weight;
    EXPECT_GT(weight * counted.scale, 0.0) << weight;
  }
}

TEST(CopiesOf, AreTheSameForRelativeWeightsOfAnyMagnitude) {
  for (const int exponent : {-2, -300, -900}) {
    const double unit = std::ldexp(1.0, exponent);
    const std::vector<double> copies = copies_of(std::vector<double>(5, unit));
    for (const double copy : copies) EXPECT_NEAR(copy, 1.0, 1e-12) << exponent;
  }
}

}  // namespace
}  // namespace lbw
