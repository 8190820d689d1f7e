// SPDX-License-Identifier: MIT
#include "transport/transported_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace lbw {
namespace {

/// One feature of a group.
Transported group_of(const std::vector<double>& values, const std::vector<double>& weights = {}) {
  Transported group;
  group.n_points = static_cast<Index>(values.size());
  group.points = Eigen::Map<const Vector>(values.data(), group.n_points).transpose();
  group.weights = weights;
  return group;
}

Spread spread_of(const std::vector<Transported>& groups) {
  std::vector<double> sizes;
  for (const Transported& group : groups) sizes.push_back(group.count());
  return measured_spread(groups, sizes, 1, {1});
}

std::vector<double> numbers_up_to(int n) {
  std::vector<double> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0.0);
  return numbers;
}

// The variance of 0, ..., n - 1 is (n^2 - 1) / 12.
TEST(MeasuredSpread, IsTheStandardDeviationOverAllGroups) {
  const std::vector<double> low(30, 1.0);
  const std::vector<double> high(10, 5.0);
  EXPECT_NEAR(spread_of({group_of(low), group_of(high)}).scales[0], std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(spread_of({group_of(numbers_up_to(1000))}).scales[0], std::sqrt(999'999.0 / 12.0),
              1e-10);
}

TEST(MeasuredSpread, LeavesOutValuesThatAreFarFromAllOthers) {
  std::vector<double> values = numbers_up_to(1000);
  values.push_back(1e12);
  values.push_back(-1e8);  // hidden by the first
  const Spread spread = spread_of({group_of(values)});
  EXPECT_NEAR(spread.scales[0], std::sqrt(999'999.0 / 12.0), 1e-10);
  EXPECT_TRUE(spread.varies[0]);
}

TEST(MeasuredSpread, CountsRareValuesIfAllOthersAreEqual) {
  std::vector<double> values(1000, 0.0);
  values[7] = 1.0;
  EXPECT_NEAR(spread_of({group_of(values)}).scales[0], std::sqrt(0.001 * 0.999), 1e-15);
  values[7] = 0.0;
  EXPECT_EQ(spread_of({group_of(values)}).scales[0], 1.0);
  EXPECT_FALSE(spread_of({group_of(values)}).varies[0]);
}

TEST(MeasuredSpread, LeavesOutKeptGroups) {
  const Spread spread = spread_of({group_of(numbers_up_to(1000)), Transported()});
  EXPECT_NEAR(spread.scales[0], std::sqrt(999'999.0 / 12.0), 1e-10);
  EXPECT_TRUE(spread.varies[0]);
}

TEST(MeasuredSpread, CountsWeightsAsCopies) {
  std::vector<double> values = numbers_up_to(1000);
  values.push_back(1e9);
  std::vector<double> copies = values;
  copies.insert(copies.end(), values.begin(), values.end());
  const std::vector<double> twice(values.size(), 2.0);
  EXPECT_NEAR(spread_of({group_of(values, twice)}).scales[0],
              spread_of({group_of(copies)}).scales[0], 1e-10);
}

}  // namespace
}  // namespace lbw
