// SPDX-License-Identifier: MIT
#include "report/permutations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace lbw {
namespace {

TEST(RandomPermutations, KeepTheSizeOfEverySample) {
  for (const Membership& permutation : random_permutations(30, 12, 50, 1)) {
    EXPECT_EQ(std::count(permutation.begin(), permutation.end(), true), 12);
    EXPECT_EQ(permutation.size(), 42U);
  }
}

// 4 of 2 and 2: six permutations, each a sixth of 6000, of standard deviation 29
TEST(RandomPermutations, AreAllEquallyLikely) {
  std::map<Membership, int> counts;
  for (const Membership& permutation : random_permutations(2, 2, 6000, 2)) ++counts[permutation];
  EXPECT_EQ(counts.size(), 6U);
  for (const auto& [permutation, count] : counts) EXPECT_NEAR(count, 1000, 5 * 29);
}

TEST(RandomPermutations, AreAFunctionOfTheSeed) {
  EXPECT_EQ(random_permutations(9, 9, 3, 7), random_permutations(9, 9, 3, 7));
  EXPECT_NE(random_permutations(9, 9, 3, 7), random_permutations(9, 9, 3, 8));
}

TEST(RandomHalves, AreOfOneSizeAndAFunctionOfTheSeed) {
  const Membership halves = random_halves(11, 4);
  EXPECT_EQ(std::count(halves.begin(), halves.end(), true), 5);
  EXPECT_EQ(halves, random_halves(11, 4));
  EXPECT_NE(halves, random_halves(11, 5));
}

TEST(Null, CountsTheObservedValueAmongThePermutations) {
  Vector values(5);
  values << 3.0, 1.0, 4.0, 3.0, 2.0;  // observed value, then four permutations
  const PermutationNull null = null_of(values);
  EXPECT_EQ(null.n_permutations, 4);
  EXPECT_DOUBLE_EQ(null.mean, 2.5);
  EXPECT_DOUBLE_EQ(null.deviation, std::sqrt(1.25));
  EXPECT_EQ(null.quantile, 4.0);
  EXPECT_DOUBLE_EQ(null.p_value, 3.0 / 5.0);  // itself, 4 and 3
}

TEST(Null, QuantileLeavesFiveInAHundredAbove) {
  Vector values(101);
  for (Index i = 0; i < 101; ++i) values[i] = static_cast<double>((37 * i) % 101);
  // the permutations are 1 to 100
  EXPECT_EQ(null_of(values).quantile, 95.0);
}

TEST(Null, IsEmptyWithoutPermutations) { EXPECT_EQ(null_of(Vector::Ones(1)).n_permutations, 0); }

}  // namespace
}  // namespace lbw
