// SPDX-License-Identifier: MIT
// Quantile maps at the ends of double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/quantile.hpp>

#include "support/epsilon.hpp"

namespace lbw {
namespace {

std::vector<double> normal_scores(int count, double mean, double deviation, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(mean + deviation * random.normal());
  return values;
}

std::vector<double> affine_values(std::vector<double> values, double scale, double shift) {
  for (double& value : values) value = scale * value + shift;
  return values;
}

/// Images of the first values at the barycenter of both.
Vector at_the_barycenter(const std::vector<double>& first, const std::vector<double>& second) {
  const std::vector<QuantileGroup> groups{{first}, {second}};
  return apply_quantile_map(fit_quantile_maps(groups)[0], first);
}

TEST(QuantileAdversaries, ScaleToTheLastBitFromTinyToHuge) {
  const std::vector<double> first = normal_scores(300, 0.0, 1.0, 1);
  const std::vector<double> second = normal_scores(500, 3.0, 2.0, 2);
  const Vector expected = at_the_barycenter(first, second);
  for (const int power : {-900, -500, -100, 100, 300}) {
    const double scale = std::ldexp(1.0, power);
    EXPECT_EQ(
        at_the_barycenter(affine_values(first, scale, 0.0), affine_values(second, scale, 0.0)),
        Vector(scale * expected))
        << power;
  }
}

// Samples are rounded at the shift, and so is their image.
TEST(QuantileAdversaries, MoveWithADistantOrigin) {
  const std::vector<double> first = normal_scores(300, 0.0, 1.0, 1);
  const std::vector<double> second = normal_scores(500, 3.0, 2.0, 2);
  const Vector expected = at_the_barycenter(first, second);
  for (const double shift : {1e9, -1e12}) {
    const Vector moved =
        at_the_barycenter(affine_values(first, 1.0, shift), affine_values(second, 1.0, shift));
    // the slope between neighbouring samples amplifies the rounding
    EXPECT_LT((moved.array() - shift - expected.array()).abs().maxCoeff(),
              100.0 * std::abs(shift) * epsilon);
  }
}

// Equally spaced samples of equal number: the barycenter has the mean location and spacing.
TEST(QuantileAdversaries, FollowTheClosedFormOfEquallySpacedSamples) {
  std::vector<double> steps;
  for (int i = 0; i <= 256; ++i) steps.push_back(static_cast<double>(i));
  for (const double unit : {1e-300, 1e-150, 1.0, 1e90}) {
    const Vector images =
        at_the_barycenter(affine_values(steps, unit, 0.0), affine_values(steps, 3.0 * unit, unit));
    for (Index i = 0; i <= 256; ++i) {
      EXPECT_NEAR(images[i] / unit, 2.0 * static_cast<double>(i) + 0.5, 1e-10) << unit;
    }
  }
}

// Sums of weights below the number of samples are relative, whatever their magnitude.
TEST(QuantileAdversaries, DependOnlyOnRatiosOfSmallWeights) {
  const std::vector<double> values = normal_scores(100, 0.0, 1.0, 3);
  std::vector<double> weights;
  Random random(4);
  for (int i = 0; i < 100; ++i) weights.push_back(random.uniform() / 1024.0);
  const Vector expected = quantile_table(values, weights).values;
  for (const int power : {-1000, -500, -1}) {
    const Vector table =
        quantile_table(values, affine_values(weights, std::ldexp(1.0, power), 0.0)).values;
    EXPECT_LT((table - expected).cwiseAbs().maxCoeff(), 1e-12) << power;
  }
}

TEST(QuantileAdversaries, StayMonotoneAndFinite) {
  Random random(5);
  for (int repeat = 0; repeat < 40; ++repeat) {
    std::vector<double> first;
    std::vector<double> second;
    std::vector<double> weights;
    for (int i = 0; i < 60; ++i) {
      const double magnitude = std::pow(10.0, 423.0 * random.uniform() - 323.0);  // to 1e100
      first.push_back(random.uniform() < 0.5 ? magnitude : -magnitude);
      second.push_back(1.0 + std::ldexp(random.uniform(), -50));
      weights.push_back(std::pow(10.0, 600.0 * random.uniform() - 300.0));
    }
    std::sort(first.begin(), first.end());
    const std::vector<QuantileGroup> groups{{first, weights}, {second}};
    const auto maps = fit_quantile_maps(groups);
    for (const QuantileMap& map : maps) {
      const Vector images = apply_quantile_map(map, first);
      ASSERT_TRUE(images.allFinite());
      EXPECT_TRUE(std::is_sorted(images.begin(), images.end()));
    }
  }
}

}  // namespace
}  // namespace lbw
