// SPDX-License-Identifier: MIT
#include "transport/sliced_targets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/types.hpp>

#include "quantile/table_statistics.hpp"
#include "support/refined_groups.hpp"

namespace lbw {
namespace {

QuantileTable normal_table(Index n_samples, double mean, double deviation, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values;
  for (Index i = 0; i < n_samples; ++i) values.push_back(mean + deviation * random.normal());
  return quantile_table(values);
}

const std::vector<double> half_and_quarters = {0.5, 0.25, 0.25};
const std::vector<double> counts = {100.0, 200.0, 700.0};

struct ThreeTables {
  QuantileTable a = normal_table(100, 0.0, 1.0, 1);
  QuantileTable b = normal_table(200, 1.0, 2.0, 2);
  QuantileTable c = normal_table(700, -1.0, 0.5, 3);

  [[nodiscard]] SlicedAxis axis(const std::vector<double>& shrinkage) const {
    return {{&a, &b, &c}, half_and_quarters, counts, shrinkage};
  }
};

TEST(SlicedTarget, IsTheMidQuantileWithoutShrinkage) {
  const ThreeTables groups;
  const std::vector<double> none = {0.0, 0.0, 0.0};
  const std::vector<QuantileTable> tables = {groups.a, groups.b, groups.c};
  const QuantileTable expected = mid_quantile(tables, half_and_quarters);
  for (std::size_t g = 0; g < 3; ++g) {
    const QuantileTable target = sliced_target(groups.axis(none), g);
    EXPECT_LT((target.values - expected.values).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(SlicedTarget, IsTheGroupItselfWhereAllIsNoise) {
  const ThreeTables groups;
  const std::vector<double> all = {1.0, 1.0, 1.0};
  EXPECT_EQ(sliced_target(groups.axis(all), 0).values, groups.a.values);
  EXPECT_EQ(sliced_target(groups.axis(all), 2).values, groups.c.values);
}

TEST(SlicedTarget, FollowsTheFormula) {
  const ThreeTables groups;
  const std::vector<double> shrinkage = {0.5, 0.25, 0.0};
  const Vector pool = 0.1 * groups.a.values + 0.2 * groups.b.values + 0.7 * groups.c.values;
  const Vector moved = 0.5 * 0.5 * (groups.a.values - pool) +
                       0.25 * 0.75 * (groups.b.values - pool) + 0.25 * (groups.c.values - pool);
  const Vector expected = groups.b.values + moved - 0.75 * (groups.b.values - pool);
  const Vector target = sliced_target(groups.axis(shrinkage), 1).values;
  EXPECT_LT((target - expected).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_TRUE(std::is_sorted(target.begin(), target.end()));
}

/// Tables whose pool is c.
struct FourLevels {
  QuantileTable a{Vector{{0.0, 4.0, 6.0, 9.0}}};
  QuantileTable b{Vector::Zero(4)};
  QuantileTable c{Vector{{0.0, 2.0, 5.0, 6.0}}};
  std::vector<double> only_c = {0.0, 0.0, 1.0};
};

TEST(SlicedTarget, MovesAGroupWithTheOthersIfOnlyItsOwnDifferenceIsNoise) {
  const FourLevels groups;
  const std::vector<double> weights = {1.0, 0.0, 0.0};
  const std::vector<double> shrinkage = {0.0, 1.0, 1.0};
  const SlicedAxis axis{{&groups.a, &groups.c, &groups.c}, weights, groups.only_c, shrinkage};
  EXPECT_EQ(sliced_target(axis, 1).values, groups.a.values);  // c + (a - c)
}

// The formula is a + (b - c) = (0, 2, 1, 3). The nearest ascending tables above and below are
// (0, 2, 2, 3) and (0, 1, 1, 3).
TEST(SlicedTarget, IsAscendingWhereTheFormulaIsNot) {
  const FourLevels groups;
  const std::vector<double> weights = {0.0, 1.0, 0.0};
  const std::vector<double> shrinkage = {1.0, 0.0, 1.0};
  const SlicedAxis axis{{&groups.a, &groups.b, &groups.c}, weights, groups.only_c, shrinkage};
  EXPECT_EQ(sliced_target(axis, 0).values, Vector({{0.0, 1.5, 1.5, 3.0}}));
}

// A column of 0 and 1 has 30 % and 60 % of ones. No map can split the atoms, so the means over the
// levels would reduce their distance with every step.
TEST(SlicedTarget, KeepsTheSpreadOfAtoms) {
  std::vector<double> few(1000, 0.0);
  std::vector<double> many(1000, 0.0);
  std::fill_n(few.begin(), 300, 1.0);
  std::fill_n(many.begin(), 600, 1.0);
  const QuantileTable a = quantile_table(few);
  const QuantileTable b = quantile_table(many);
  const std::vector<double> thousands = {1000.0, 1000.0};
  const std::vector<double> none = {0.0, 0.0};
  const SlicedAxis axis{{&a, &b}, halves, thousands, none};
  const double expected = 0.5 * (table_moments(a).deviation + table_moments(b).deviation);
  for (std::size_t g = 0; g < 2; ++g) {
    const QuantileTable target = sliced_target(axis, g);
    const TableMoments image = image_moments(*axis.tables[g], target);
    EXPECT_NEAR(image.deviation, expected, 0.01) << g;
    EXPECT_NEAR(image.mean, 0.45, 0.01) << g;
  }
}

TEST(SharesOfCounts, SumToOneWithoutOverflow) {
  EXPECT_EQ(shares_of_counts(std::vector<double>{1.0, 3.0}), (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(shares_of_counts(std::vector<double>{1e300, 1e300}), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(shares_of_counts(std::vector<double>{0.0, 5.0}), (std::vector<double>{0.0, 1.0}));
  EXPECT_EQ(shares_of_counts(std::vector<double>{0.0, 0.0}), (std::vector<double>{0.5, 0.5}));
}

}  // namespace
}  // namespace lbw
