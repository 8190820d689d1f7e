// SPDX-License-Identifier: MIT
#include "device/monotone_knots.hpp"

#include <gtest/gtest.h>

#include <lbw/quantile.hpp>

#include <algorithm>
#include <cmath>
#include <lbw/types.hpp>
#include <limits>

#include "support/each_instruction_set.hpp"

namespace lbw {
namespace {

MonotoneKnots knots_of(const QuantileMap& map) {
  return {map.source.values, map.target.values, map.amount};
}

/// Ascending values, some of them equal to their neighbours.
QuantileTable random_table(Index n_levels, double share_of_ties, Random& random) {
  Vector values(n_levels);
  double value = random.normal();
  for (double& entry : values) {
    entry = value;
    if (random.uniform() >= share_of_ties) value += std::abs(random.normal());
  }
  return {values};
}

// The definition, evaluated on every interval of levels.
double oracle(const QuantileMap& map, double value) {
  const Vector& source = map.source.values;
  const Vector& target = map.target.values;
  const Index last = source.size() - 1;
  if (value < source[0]) return value + target[0] - source[0];
  if (value > source[last]) return value + target[last] - source[last];
  double integral = 0.0;  // mean of the target's quantiles over the levels of the value
  double n_stretches = 0.0;
  for (Index j = 0; j < last; ++j) {
    if (source[j] == value && source[j + 1] == value) {
      integral += 0.5 * (target[j] + target[j + 1]);
      n_stretches += 1.0;
    }
  }
  if (n_stretches > 0.0) return integral / n_stretches;
  Index j = 0;
  while (source[j + 1] < value) ++j;
  const double share = (value - source[j]) / (source[j + 1] - source[j]);
  return target[j] + share * (target[j + 1] - target[j]);
}

/// Compares a hundred values, also beyond both ends of the table.
void expect_definition(const QuantileMap& map, const MonotoneKnots& knots, double tolerance,
                       Random& random) {
  const double low = map.source.values[0] - 1.0;
  const double width = map.source.values[map.source.n_levels() - 1] + 1.0 - low;
  for (int i = 0; i < 100; ++i) {
    const double value = low + width * random.uniform();
    EXPECT_NEAR(knots(value), oracle(map, value), tolerance) << map.source.n_levels();
  }
}

TEST(MonotoneKnots, AgreeWithTheDefinition) {
  Random random(1);
  for (int round = 0; round < 100; ++round) {
    const Index n_levels = 2 + static_cast<Index>(random.below(40));
    const QuantileMap map{random_table(n_levels, 0.4, random), random_table(n_levels, 0.2, random)};
    const MonotoneKnots knots = knots_of(map);
    expect_definition(map, knots, 1e-12, random);
    for (const double value : map.source.values) {
      EXPECT_NEAR(knots(value), oracle(map, value), 1e-12);
    }
  }
}

// The grid numbers knots by two bytes.
TEST(MonotoneKnots, AgreeWithTheDefinitionForMoreKnotsThanAGridHas) {
  Random random(5);
  for (const Index n_levels : {32767, 32768, 70000}) {
    const QuantileMap map{random_table(n_levels, 0.0, random), random_table(n_levels, 0.2, random)};
    const MonotoneKnots knots = knots_of(map);
    const double first = map.source.values[0];
    const double last = map.source.values[n_levels - 1];
    const double tolerance = 1e-12 * (last - first);
    expect_definition(map, knots, tolerance, random);
    for (const double value : {first - 0.5, first, last, last + 0.5}) {
      EXPECT_NEAR(knots(value), oracle(map, value), tolerance);
    }
  }
}

// The cells of the grid contain many knots, or knots lie far beyond them.
TEST(MonotoneKnots, FindKnotsOfEveryDistribution) {
  Random random(4);
  for (const double share_of_far : {0.0, 0.02, 0.5}) {
    std::vector<double> knots(300);
    for (double& knot : knots) {
      knot = random.normal() + (random.uniform() < share_of_far ? 1e4 * random.normal() : 0.0);
    }
    std::sort(knots.begin(), knots.end());
    const QuantileMap map{{Eigen::Map<const Vector>(knots.data(), 300)},
                          random_table(300, 0.0, random)};
    std::vector<double> values = {-1e9, 1e9};
    for (const double knot : knots) {
      values.insert(values.end(), {knot, std::nextafter(knot, -1e9), knot + random.normal()});
    }
    std::vector<double> expected = values;
    for (double& value : expected) value = knots_of(map)(value);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(expected[i], oracle(map, values[i]), 1e-9 + 1e-12 * std::abs(values[i])) << i;
    }
    for_each_instruction_set([&] {
      std::vector<double> images = values;
      knots_of(map).apply(images);  // 902: not a multiple of the lanes
      EXPECT_EQ(images, expected);
    });
  }
}

// Property: the map is monotone for any two adjacent numbers in double precision.
TEST(MonotoneKnots, NeverDecrease) {
  Random random(2);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 200; ++round) {
    const double amount = round % 2 == 0 ? 1.0 : random.uniform();
    const QuantileMap map{random_table(30, 0.3, random), random_table(30, 0.3, random), amount};
    const MonotoneKnots knots = knots_of(map);
    std::vector<double> values;
    for (const double value : map.source.values) {
      values.insert(values.end(), {std::nextafter(value, -infinity), value,
                                   std::nextafter(value, infinity), value + random.normal()});
    }
    values.insert(values.end(), {-1e100, -1e6, 1e6, 1e100});
    std::sort(values.begin(), values.end());
    for (std::size_t i = 1; i < values.size(); ++i) {
      ASSERT_LE(knots(values[i - 1]), knots(values[i])) << round << " " << values[i];
    }
  }
}

TEST(MonotoneKnots, SendAnAtomToTheMeanOverItsLevels) {
  const QuantileMap map{{Vector{{0.0, 1.0, 1.0, 1.0, 3.0}}}, {Vector{{0.0, 2.0, 4.0, 10.0, 11.0}}}};
  const MonotoneKnots knots = knots_of(map);
  EXPECT_EQ(knots(1.0), 5.0);  // (1 + 4 + 5) / 2
  EXPECT_EQ(knots(0.5), 1.0);
  EXPECT_EQ(knots(2.0), 10.5);
}

TEST(MonotoneKnots, ShiftValuesBeyondTheEnds) {
  const MonotoneKnots knots = knots_of({{Vector{{0.0, 1.0, 2.0}}}, {Vector{{10.0, 11.0, 15.0}}}});
  EXPECT_EQ(knots(-3.0), 7.0);
  EXPECT_EQ(knots(0.0), 10.0);
  EXPECT_EQ(knots(2.0), 15.0);
  EXPECT_EQ(knots(5.0), 18.0);
}

TEST(MonotoneKnots, HandleAConstant) {
  const MonotoneKnots knots = knots_of({{Vector{{2.0, 2.0, 2.0}}}, {Vector{{0.0, 1.0, 5.0}}}});
  EXPECT_EQ(knots(2.0), 1.75);
  EXPECT_EQ(knots(1.0), -1.0);
  EXPECT_EQ(knots(3.0), 6.0);
}

TEST(MonotoneKnots, InterpolatePartially) {
  const QuantileTable source{Vector{{0.0, 2.0}}};
  const QuantileTable target{Vector{{10.0, 14.0}}};
  EXPECT_EQ(knots_of({source, target, 0.0})(0.7), 0.7);
  EXPECT_EQ(knots_of({source, target, 0.5})(1.0), 6.5);
  EXPECT_EQ(knots_of({source, target, 1.0})(1.0), 12.0);
}

}  // namespace
}  // namespace lbw
