// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/quantile.hpp>
#include <lbw/types.hpp>
#include <limits>

#include "support/expect_error.hpp"
#include "support/ks_distance.hpp"

namespace lbw {
namespace {

/// Scores like those of classifiers: between 0 and 1, far from normal.
std::vector<double> scores(std::size_t n, double power, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(n);
  for (double& value : values) value = std::pow(random.uniform(), power);
  return values;
}

std::vector<double> carried(const QuantileMap& map, const std::vector<double>& values) {
  const Vector out = apply_quantile_map(map, values);
  return {out.begin(), out.end()};
}

TEST(FitQuantileMaps, GiveAllGroupsOneDistribution) {
  const std::vector<double> first = scores(4000, 1.0, 1);
  const std::vector<double> second = scores(700, 3.0, 2);
  const std::vector<double> third = scores(90, 0.3, 3);
  const std::vector<QuantileGroup> groups = {{first}, {second}, {third}};
  const std::vector<QuantileMap> maps = fit_quantile_maps(groups);
  EXPECT_GT(ks_distance(first, second), 0.3);
  // two steps of the tables, and one sample of the smaller group
  EXPECT_LT(ks_distance(carried(maps[0], first), carried(maps[1], second)), 2.0 / 256 + 1.0 / 700);
  EXPECT_LT(ks_distance(carried(maps[0], first), carried(maps[2], third)), 2.0 / 256 + 1.0 / 90);
}

// One value per level: the sorted groups themselves are their quantile functions, and the
// barycenter's is their mean, value by value.
TEST(FitQuantileMaps, AreTheSortedMeanForGroupsOfOneSize) {
  std::vector<double> first = scores(100, 1.0, 4);
  std::vector<double> second = scores(100, 2.0, 5);
  const std::vector<QuantileGroup> groups = {{first}, {second}};
  QuantileMapOptions options;
  options.barycentric_weights = {0.25, 0.75};
  options.n_levels = 201;  // levels of all samples, (i + 1/2) / 100, are among them
  const std::vector<QuantileMap> maps = fit_quantile_maps(groups, options);
  const std::vector<double> out = carried(maps[0], first);
  std::vector<double> sorted_out = out;
  std::sort(sorted_out.begin(), sorted_out.end());
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_NEAR(sorted_out[i], 0.25 * first[i] + 0.75 * second[i], 1e-13);
  }
}

TEST(FitQuantileMaps, InterpolatePartially) {
  const std::vector<double> first = scores(500, 1.0, 6);
  const std::vector<double> second = scores(500, 4.0, 7);
  const std::vector<QuantileGroup> groups = {{first}, {second}};
  double before = ks_distance(first, second) + 1e-9;
  const std::vector<double> whole = carried(fit_quantile_maps(groups)[0], first);
  for (const double amount : {0.0, 0.25, 0.5, 1.0}) {
    QuantileMapOptions options;
    options.amount = amount;
    const std::vector<QuantileMap> maps = fit_quantile_maps(groups, options);
    const std::vector<double> part = carried(maps[0], first);
    for (std::size_t i = 0; i < part.size(); ++i) {
      EXPECT_NEAR(part[i], (1.0 - amount) * first[i] + amount * whole[i], 1e-15);
    }
    const double after = ks_distance(part, carried(maps[1], second));
    EXPECT_LE(after, before);
    before = after;
  }
}

TEST(FitQuantileMaps, LeaveTheGroupOfAllWeightInPlace) {
  std::vector<double> first = scores(900, 1.0, 8);
  for (std::size_t i = 0; i < 200; ++i) first[i] = 0.5;
  const std::vector<double> second = scores(300, 4.0, 9);
  QuantileMapOptions options;
  options.barycentric_weights = {1.0, 0.0};
  const std::vector<QuantileMap> maps =
      fit_quantile_maps(std::vector<QuantileGroup>{{first}, {second}}, options);
  const std::vector<double> out = carried(maps[0], first);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(out[i], first[i], 1e-15);
}

TEST(FitQuantileMaps, UseSampleWeights) {
  const std::vector<double> values = scores(2000, 1.0, 10);
  std::vector<double> weights;
  for (const double value : values) weights.push_back(value < 0.5 ? 3.0 : 1.0);
  const std::vector<double> other = scores(2000, 1.0, 11);
  const std::vector<QuantileGroup> groups = {{values, weights}, {other}};
  QuantileMapOptions options;
  options.barycentric_weights = {1.0, 0.0};
  const std::vector<double> out = carried(fit_quantile_maps(groups, options)[1], other);
  // three quarters of the mass of the first group lie below a half; noise of 2000 samples
  const auto below = std::count_if(out.begin(), out.end(), [](double x) { return x < 0.5; });
  EXPECT_NEAR(static_cast<double>(below) / 2000.0, 0.75, 0.04);
}

TEST(FitQuantileMaps, RefuseInvalidArguments) {
  const std::vector<double> values = {1.0, 2.0};
  const std::vector<double> none;
  const auto refused = [](const std::vector<QuantileGroup>& groups,
                          const QuantileMapOptions& options, const char* expected_message) {
    expect_error<InvalidArgument>([&] { (void)fit_quantile_maps(groups, options); },
                                  expected_message);
  };
  refused({}, {}, "fit_quantile_maps: groups is empty, expected one or more");
  refused({{values}, {none}}, {}, "group 1: quantile_table: values has no rows");
  refused({{values}}, {.amount = -0.5},
          "fit_quantile_maps: amount is -0.5, expected a number from 0 to 1");
  refused({{values}, {values}}, {.barycentric_weights = {1.0}},
          "fit_quantile_maps: barycentric_weights has 1 entry, expected 2");
  refused({{values}}, {.execution = {.n_threads = -1}},
          "fit_quantile_maps: n_threads is -1, expected 0 (one per core) or more");
}

TEST(ApplyQuantileMap, GivesTheSameBitsAtAnyNumberOfThreads) {
  const std::vector<double> first = scores(200'000, 1.0, 12);
  const std::vector<double> second = scores(100'000, 2.0, 13);
  const std::vector<QuantileGroup> groups = {{first}, {second}};
  const QuantileMap map = fit_quantile_maps(groups, {.execution = {.n_threads = 1}})[1];
  const QuantileMap again = fit_quantile_maps(groups, {.execution = {.n_threads = 5}})[1];
  EXPECT_EQ(map.source.values, again.source.values);
  EXPECT_EQ(map.target.values, again.target.values);
  const Vector alone = apply_quantile_map(map, first, {.n_threads = 1});
  for (const int n_threads : {2, 5}) {
    EXPECT_EQ(apply_quantile_map(map, first, {.n_threads = n_threads}), alone);
  }
}

TEST(ApplyQuantileMap, WorksInPlace) {
  std::vector<double> first = scores(5000, 1.0, 14);
  const std::vector<double> second = scores(5000, 2.0, 15);
  const QuantileMap map = fit_quantile_maps(std::vector<QuantileGroup>{{first}, {second}})[0];
  const std::vector<double> elsewhere = carried(map, first);
  apply_quantile_map_into(map, first, first);
  EXPECT_EQ(first, elsewhere);
}

TEST(ApplyQuantileMap, RefusesInvalidValues) {
  const QuantileTable table{Vector{{0.0, 1.0}}};
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> values = {0.5, infinity};
  std::vector<double> room(1);
  expect_error<InvalidArgument>(
      [&] {
        (void)apply_quantile_map({table, table}, values);
      },
      "apply_quantile_map: values contains inf at row 1, column 0 (counted "
      "from 0), expected finite values");
  expect_error<InvalidArgument>(
      [&] {
        (void)apply_quantile_map({table, {}}, values);
      },
      "apply_quantile_map: map.target has 0 levels, expected 2 or more");
  expect_error<InvalidArgument>(
      [&] {
        apply_quantile_map_into({table, table}, values, room);
      },
      "apply_quantile_map_into: out has 1 entry for 2 values, expected one per value");
}

}  // namespace
}  // namespace lbw
