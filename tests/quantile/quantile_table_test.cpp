// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/quantile.hpp>
#include <lbw/types.hpp>
#include <limits>

#include "support/expect_error.hpp"

namespace lbw {
namespace {

std::vector<double> of(const QuantileTable& table) {
  return {table.values.begin(), table.values.end()};
}

std::vector<double> normals(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(n);
  for (double& value : values) value = random.normal();
  return values;
}

// Levels 0, 1/8, ..., 1 of four samples, whose own levels are 1/8, 3/8, 5/8 and 7/8.
TEST(QuantileTable, PutsEverySampleInTheMiddleOfItsLevels) {
  const std::vector<double> values = {8.0, 1.0, 4.0, 2.0};
  EXPECT_EQ(of(quantile_table(values, {}, 9)),
            (std::vector<double>{1.0, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 8.0}));
}

// Of ten samples three are equal, at the levels .35, .45 and .55.
TEST(QuantileTable, IsFlatAtAnAtom) {
  const std::vector<double> values = {0, 1, 2, 5, 5, 5, 6, 7, 8, 9};
  const QuantileTable table = quantile_table(values, {}, 21);
  for (const Index level : {7, 8, 9, 10, 11}) EXPECT_NEAR(table.values[level], 5.0, 1e-14) << level;
  EXPECT_LT(table.values[6], 5.0);
  EXPECT_GT(table.values[12], 5.0);
}

// The definition: levels by the order of the samples, linear in between.
double oracle(std::vector<double> values, double level) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  const double place = std::clamp(level * n - 0.5, 0.0, n - 1.0);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (place - std::floor(place)) * (values[high] - values[low]);
}

TEST(QuantileTable, AgreesWithTheDefinition) {
  for (const std::size_t n : {1U, 2U, 3U, 50U, 257U, 1000U, 5000U}) {
    std::vector<double> values = normals(n, n);
    for (double& value : values) {
      if (n == 1000) value = std::round(2.0 * value);  // a few atoms
    }
    const QuantileTable table = quantile_table(values);
    ASSERT_EQ(table.n_levels(), 257);
    for (Index j = 0; j < 257; ++j) {
      // rounding changes a level by epsilon, n times, in a gap that is at most 10 wide
      EXPECT_NEAR(table.values[j], oracle(values, static_cast<double>(j) / 256.0),
                  1e-14 * static_cast<double>(n + 1))
          << n << " " << j;
    }
  }
}

TEST(QuantileTable, EndsAtTheSmallestAndTheLargest) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<double> values = normals(300 + seed, seed);
    std::vector<double> weights = normals(values.size(), seed + 100);
    for (double& weight : weights) weight = std::abs(weight);
    for (const QuantileTable& table : {quantile_table(values), quantile_table(values, weights)}) {
      EXPECT_EQ(table.values[0], *std::min_element(values.begin(), values.end()));
      EXPECT_EQ(table.values[256], *std::max_element(values.begin(), values.end()));
      EXPECT_TRUE(std::is_sorted(table.values.begin(), table.values.end()));
    }
  }
}

TEST(QuantileTable, DoesNotDependOnTheOrderOfTheSamples) {
  std::vector<double> values = normals(500, 1);
  for (std::size_t i = 0; i < 100; ++i) values[i] = -0.0;
  for (std::size_t i = 100; i < 150; ++i) values[i] = 0.0;
  std::vector<double> weights = normals(500, 2);
  for (double& weight : weights) weight = std::abs(weight);
  const std::vector<double> forward = of(quantile_table(values, weights));
  std::reverse(values.begin(), values.end());
  std::reverse(weights.begin(), weights.end());
  EXPECT_EQ(of(quantile_table(values, weights)), forward);
}

// A sample of weight 3 has the levels of three samples and is in their middle.
TEST(QuantileTable, UsesSampleWeights) {
  const std::vector<double> values = {1.0, 2.0, 3.0, 99.0};
  const std::vector<double> weights = {1.0, 3.0, 4.0, 0.0};
  const QuantileTable table = quantile_table(values, weights, 17);
  EXPECT_EQ(table.values[1], 1.0);  // 1/16: the middle of 0 and 1/8
  EXPECT_EQ(table.values[5], 2.0);  // 5/16: the middle of 1/8 and 1/2
  EXPECT_EQ(table.values[12], 3.0);
  EXPECT_EQ(table.values[16], 3.0);  // samples of weight 0 are ignored
}

TEST(QuantileTable, CountsWeightsInAnyUnit) {
  const std::vector<double> values = normals(400, 3);
  const std::vector<double> eighths(400, 0.125);
  EXPECT_EQ(of(quantile_table(values, eighths)), of(quantile_table(values)));
}

TEST(QuantileTable, CountsAWeightOfTwoAsTheValueTwice) {
  const std::vector<double> values = normals(60, 7);
  std::vector<double> weights;
  std::vector<double> copies;
  for (std::size_t i = 0; i < values.size(); ++i) {
    weights.push_back(static_cast<double>(i % 4));
    copies.insert(copies.end(), i % 4, values[i]);
  }
  EXPECT_EQ(of(quantile_table(values, weights)), of(quantile_table(copies)));
  const std::vector<double> twos(60, 2.0);
  copies = values;
  copies.insert(copies.end(), values.begin(), values.end());
  EXPECT_EQ(of(quantile_table(values, twos)), of(quantile_table(copies)));
}

TEST(QuantileTable, TakesWeightsThatSumToOneAsRelative) {
  const std::vector<double> values = normals(300, 8);
  std::vector<double> repeated = values;
  repeated.insert(repeated.end(), 30, 0.5);  // an atom
  const std::vector<double> equal(330, 1.0 / 330.0);
  const Vector expected = quantile_table(repeated).values;
  EXPECT_LT((quantile_table(repeated, equal).values - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(QuantileTable, TakesWeightsOfAnyMagnitude) {
  const std::vector<double> values = {1.0, 2.0, 3.0, 4.0};
  for (const double weight : {1e308, 1e-308}) {
    const std::vector<double> weights(4, weight);
    const QuantileTable table = quantile_table(values, weights);
    EXPECT_EQ(table.values[0], 1.0);
    EXPECT_EQ(table.values[32], 1.0);
    EXPECT_EQ(table.values[224], 4.0);
    EXPECT_EQ(table.values[256], 4.0);
    EXPECT_GE(table.values[128], 2.0);
    EXPECT_LE(table.values[128], 3.0);
  }
}

// Distinct values without weights are not walked through one by one; those with weights are.
TEST(QuantileTable, OfDistinctValuesIsThatOfWeightsOfOneToTheLastBit) {
  for (const std::size_t n : {1U, 2U, 3U, 10U, 255U, 256U, 257U, 1000U, 15'500U}) {
    const std::vector<double> values = normals(n, n);
    const std::vector<double> ones(n, 1.0);
    EXPECT_EQ(of(quantile_table(values)), of(quantile_table(values, ones))) << n;
    EXPECT_EQ(of(quantile_table(values, {}, 8)), of(quantile_table(values, ones, 8))) << n;
  }
}

TEST(QuantileTable, OfOneValueIsThatValue) {
  const std::vector<double> one = {4.5};
  const std::vector<double> many(1000, -2.0);
  EXPECT_EQ(quantile_table(one).values, Vector::Constant(257, 4.5));
  EXPECT_EQ(quantile_table(many).values, Vector::Constant(257, -2.0));
}

TEST(QuantileTable, RefusesInvalidDistributions) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values = {1.0, 2.0};
  const std::vector<double> hollow = {1.0, nan};
  const std::vector<double> none;
  const auto refused = [](std::span<const double> samples, const std::vector<double>& weights,
                          int n_levels, const char* expected_message) {
    expect_error<InvalidArgument>([&] { (void)quantile_table(samples, weights, n_levels); },
                                  expected_message);
  };
  refused(none, {}, 257, "quantile_table: values has no rows");
  refused(
      hollow, {}, 257,
      "quantile_table: values contains nan at row 1, column 0 (counted from 0), expected finite "
      "values");
  refused(values, {}, 1, "quantile_table: n_levels is 1, expected 2 or more");
  refused(values, {1.0}, 257,
          "quantile_table: sample_weights has 1 entry for 2 values, expected one per value");
  refused(values, {1.0, -1.0}, 257,
          "quantile_table: sample_weights[1] is -1, expected a finite number >= 0");
  refused(values, {0.0, 0.0}, 257,
          "quantile_table: sample_weights are all 0, expected at least one above 0");
}

TEST(MidQuantile, IsTheWeightedMeanOfTheQuantiles) {
  const QuantileTable first{Vector{{0.0, 1.0, 2.0}}};
  const QuantileTable second{Vector{{4.0, 4.0, 10.0}}};
  const std::vector<QuantileTable> tables = {first, second};
  EXPECT_EQ(of(mid_quantile(tables, std::vector<double>{0.75, 0.25})),
            (std::vector<double>{1.0, 1.75, 4.0}));
  EXPECT_EQ(of(mid_quantile(tables, std::vector<double>{0.0, 1.0})), of(second));
}

TEST(MidQuantile, OfEqualTablesIsThatTableToTheLastBit) {
  const QuantileTable table = quantile_table(normals(100, 9));
  const std::vector<QuantileTable> tables = {table, table, table};
  const std::vector<double> thirds(3, 1.0 / 3.0);
  EXPECT_EQ(mid_quantile(tables, thirds).values, table.values);
}

// Wasserstein barycenters of normals are normal, with the mean of the standard deviations.
TEST(MidQuantile, OfNormalsIsNormal) {
  std::vector<double> narrow = normals(200'000, 5);
  std::vector<double> wide = normals(200'000, 6);
  for (double& value : wide) value = 4.0 + 3.0 * value;
  const std::vector<QuantileTable> tables = {quantile_table(narrow), quantile_table(wide)};
  const QuantileTable middle = mid_quantile(tables, std::vector<double>{0.5, 0.5});
  for (const Index level : {16, 64, 128, 192, 240}) {
    const double z = (middle.values[level] - 2.0) / 2.0;
    const double normal_level = 0.5 * std::erfc(-z / std::sqrt(2.0));
    // noise of 200 000 samples: a standard deviation of 0.5 / sqrt(200 000), four of them
    EXPECT_NEAR(normal_level, static_cast<double>(level) / 256.0, 0.0045);
  }
}

TEST(MidQuantile, DividesWeightsByTheirSum) {
  const std::vector<QuantileTable> tables = {{Vector{{0.0, 1.0}}}, {Vector{{4.0, 9.0}}}};
  EXPECT_EQ(mid_quantile(tables, std::vector{3.0, 1.0}).values, (Vector{{1.0, 3.0}}));
  EXPECT_EQ(mid_quantile(tables, std::vector{1.5e308, 0.5e308}).values, (Vector{{1.0, 3.0}}));
}

TEST(MidQuantile, RefusesTablesThatDoNotBelongTogether) {
  const QuantileTable two{Vector{{0.0, 1.0}}};
  const QuantileTable three{Vector{{0.0, 1.0, 2.0}}};
  const QuantileTable falling{Vector{{1.0, 0.0}}};
  const auto refused = [](const std::vector<QuantileTable>& tables,
                          const std::vector<double>& weights, const char* expected_message) {
    expect_error<InvalidArgument>([&] { (void)mid_quantile(tables, weights); }, expected_message);
  };
  refused({}, {}, "mid_quantile: tables is empty, expected one or more");
  refused({two}, {0.5, 0.5}, "mid_quantile: barycentric_weights has 2 entries, expected 1");
  refused({two, three}, {0.5, 0.5},
          "mid_quantile: tables[1] has 3 levels and tables[0] 2, expected equal numbers");
  refused(
      {two, falling}, {0.5, 0.5},
      "mid_quantile: tables[1] decreases from 1 to 0 at level 1, expected non-decreasing values");
}

TEST(QuantileTable, NeverDecreasesForValuesThatDifferByLastBits) {
  Random random(5);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) {
      double value = 0.3 * static_cast<double>(random.below(3));
      for (std::uint64_t ulps = random.below(4); ulps > 0; --ulps) {
        value = std::nextafter(value, 1.0);
      }
      values.push_back(value);
    }
    const Vector table = quantile_table(values).values;
    ASSERT_TRUE(std::is_sorted(table.begin(), table.end())) << trial;
  }
}

}  // namespace
}  // namespace lbw
