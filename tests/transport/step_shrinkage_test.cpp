// SPDX-License-Identifier: MIT
#include "transport/step_shrinkage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <lbw/types.hpp>

#include "support/refined_groups.hpp"

namespace lbw {
namespace {

AxisTables tables_of(Index n_samples, Index n_axes, double shift, std::uint64_t seed) {
  Random random(seed);
  AxisTables tables;
  for (Index f = 0; f < n_axes; ++f) {
    std::vector<double> values;
    for (Index i = 0; i < n_samples; ++i) values.push_back(shift + random.normal());
    tables.push_back(quantile_table(values));
  }
  return tables;
}

TEST(StepShrinkage, AttributesEqualGroupsToNoiseMostly) {
  double mean = 0.0;
  constexpr int n_trials = 50;
  for (std::uint64_t seed = 0; seed < n_trials; ++seed) {
    const std::vector<AxisTables> tables = {tables_of(500, 5, 0.0, 2 * seed),
                                            tables_of(20, 5, 0.0, 2 * seed + 1)};
    const std::vector<double> shrinkage = step_shrinkage(tables, std::vector<double>{500.0, 20.0});
    EXPECT_NEAR(shrinkage[0], shrinkage[1], 0.05);  // both groups differ equally from all samples
    mean += shrinkage[1] / n_trials;
  }
  EXPECT_GT(mean, 0.85);
}

// With two groups, the expected distances of both from all samples have the ratio of the observed
// ones, so that the same fraction is noise.
TEST(StepShrinkage, CountsTheDifferenceOfASingleSample) {
  const std::vector<AxisTables> tables = {tables_of(1000, 3, 0.0, 1), tables_of(1, 3, 5.0, 2)};
  const std::vector<double> shrinkage = step_shrinkage(tables, std::vector<double>{1000.0, 1.0});
  EXPECT_NEAR(shrinkage[1], shrinkage[0], 1e-9 * shrinkage[0]);
  // a sample at 5 is at a distance of 4.4 from a normal distribution, whose noise is .56
  EXPECT_LT(shrinkage[1], 0.001);
}

TEST(StepShrinkage, VanishesWithTheNumberOfSamples) {
  double last = 1.0;
  for (const Index n : {10, 100, 1000, 10'000}) {
    const std::vector<AxisTables> tables = {tables_of(n, 3, 0.0, 1), tables_of(n, 3, 0.5, 2)};
    const auto count = static_cast<double>(n);
    const double shrinkage = step_shrinkage(tables, std::vector<double>{count, count})[0];
    EXPECT_LE(shrinkage, last);
    last = shrinkage;
  }
  // half of the noise of 10000 samples over that of a shift of .5
  EXPECT_LT(last, 0.005);
}

// The last cell of the table reaches to the value, so that the distribution functions differ by up
// to 1/256 over all of this distance.
TEST(StepShrinkage, DoesNotCountOneFarValue) {
  const std::vector<double> sizes = {20'000.0, 20'000.0};
  for (const double shift : {0.0, 0.1}) {
    std::vector<double> values;
    Random random(1);
    for (Index i = 0; i < 20'000; ++i) values.push_back(random.normal());
    const AxisTables usual = {quantile_table(values)};
    values[0] = 1e4;
    const AxisTables with_a_far_value = {quantile_table(values)};
    const AxisTables others = tables_of(20'000, 1, shift, 2);
    const double expected = step_shrinkage({usual, others}, sizes)[0];
    EXPECT_NEAR(step_shrinkage({with_a_far_value, others}, sizes)[0], expected, 0.1 * expected);
  }
}

TEST(StepShrinkage, IsOneWithoutDifferences) {
  const QuantileTable constant{Vector::Constant(5, 2.0)};
  const std::vector<AxisTables> tables = {{constant}, {constant}};
  EXPECT_EQ(step_shrinkage(tables, std::vector<double>{5.0, 5.0}), (std::vector<double>{1.0, 1.0}));
}

constexpr int n_alike = 6;

/// Equally large groups, of which one may be shifted by a third of its deviation along all axes.
std::vector<AxisTables> groups_with_shifted(int shifted) {
  std::vector<AxisTables> tables;
  for (int g = 0; g < n_alike; ++g) {
    tables.push_back(tables_of(500, 3, g == shifted ? 0.33 : 0.0, static_cast<std::uint64_t>(g)));
  }
  return tables;
}

TEST(AreAlike, UnlessAnyGroupDiffers) {
  const std::vector<double> sizes(n_alike, 500.0);
  EXPECT_TRUE(are_alike(groups_with_shifted(-1), sizes));
  for (int shifted = 0; shifted < n_alike; ++shifted) {
    EXPECT_FALSE(are_alike(groups_with_shifted(shifted), sizes)) << shifted;
  }
}

TEST(AlikeAxes, AreThoseAlongWhichNoGroupDiffers) {
  const std::vector<double> sizes(n_alike, 500.0);
  for (std::size_t shifted = 0; shifted < n_alike; ++shifted) {
    std::vector<AxisTables> tables = groups_with_shifted(-1);
    tables[shifted][1] = groups_with_shifted(static_cast<int>(shifted))[shifted][1];
    EXPECT_EQ(alike_axes(tables, sizes), (std::vector<bool>{true, false, true})) << shifted;
  }
}

TEST(ExtendEnds, GivesFewSamplesTheRangeOfAll) {
  std::vector<AxisTables> tables = {tables_of(5000, 1, 0.0, 3), tables_of(4, 1, 1.0, 4)};
  const Vector before = tables[1][0].values;
  extend_ends(tables, std::vector<double>{5000.0, 4.0});
  const Vector& after = tables[1][0].values;
  EXPECT_TRUE(std::is_sorted(after.begin(), after.end()));
  EXPECT_EQ(after.segment(64, 129), before.segment(64, 129));
  // beyond one sample from the end it is as wide as the large group
  const Vector& large = tables[0][0].values;
  EXPECT_NEAR(after[256] - after[192], large[256] - large[192], 0.05);
  EXPECT_NEAR(after[64] - after[0], large[64] - large[0], 0.05);
}

TEST(ExtendEnds, GivesASingleSampleTheShapeOfAll) {
  std::vector<AxisTables> tables = {tables_of(5000, 1, 0.0, 3), {quantile_table(std::vector{7.0})}};
  extend_ends(tables, std::vector<double>{5000.0, 1.0});
  EXPECT_EQ(tables[1][0].values[128], 7.0);
  EXPECT_NEAR(tables[1][0].values[256] - 7.0, tables[0][0].values[256], 0.1);
}

TEST(SmoothTables, AreLinearBetweenAsManyLevelsAsTheSamplesSupport) {
  const RowMatrix samples = normals(400, 1, 5);
  const QuantileTable rough = quantile_table({samples.data(), 400});
  std::vector<AxisTables> tables = {{rough}, {rough}, {rough}};
  smooth_tables(tables, std::vector<double>{400.0, 4096.0, 400.0});
  EXPECT_EQ(tables[1][0].values, rough.values);
  EXPECT_EQ(tables[2][0].values, tables[0][0].values);
  const Vector& smooth = tables[0][0].values;
  for (Index j = 0; j < 257; j += 4) EXPECT_EQ(smooth[j], rough.values[j]) << j;  // 64 of 80
  for (Index j = 0; j < 4; ++j) {                                                 // tails
    EXPECT_EQ(smooth[j], rough.values[j]);
    EXPECT_EQ(smooth[256 - j], rough.values[256 - j]);
  }
  for (Index j = 4; j + 8 < 257; j += 4) {
    EXPECT_NEAR(smooth[j + 1], 0.75 * smooth[j] + 0.25 * smooth[j + 4], 1e-15) << j;
    EXPECT_NEAR(smooth[j + 3], 0.25 * smooth[j] + 0.75 * smooth[j + 4], 1e-15) << j;
  }
}

TEST(SmoothTables, KeepsAtoms) {
  const QuantileTable boolean = quantile_table(std::vector<double>{0.0, 0.0, 0.0, 1.0, 1.0});
  std::vector<AxisTables> tables = {{boolean}};
  smooth_tables(tables, std::vector<double>{5.0});
  EXPECT_EQ(tables[0][0].values, boolean.values);
}

}  // namespace
}  // namespace lbw
