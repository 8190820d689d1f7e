// SPDX-License-Identifier: MIT
#include "report/noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/types.hpp>

#include "report/permutations.hpp"

namespace lbw {
namespace {

double upper_tail(double deviations) { return 0.5 * std::erfc(deviations / std::sqrt(2.0)); }

// separations have half of the 5 %, all other comparisons the other half
TEST(CriticalDeviations, KeepAllComparisonsBelowFivePercentTogether) {
  for (const Index s : {2, 3, 10}) {
    const CriticalDeviations critical = critical_deviations(s);
    const double n_pairs = static_cast<double>(s * (s - 1) / 2);
    const double n_others = 5.0 * n_pairs + 2.0 * static_cast<double>(s);
    EXPECT_NEAR(2.0 * n_pairs * upper_tail(critical.separation), 0.025, 1e-9) << s;
    EXPECT_NEAR(n_others * upper_tail(critical.other), 0.025, 1e-9) << s;
  }
}

TEST(FitNoise, IsThatOfTheSamplesOfTheFitBesideThoseHeldOut) {
  EXPECT_DOUBLE_EQ(fit_noise_ratio({100, 100}, {100, 100}), 1.0);
  EXPECT_DOUBLE_EQ(fit_noise_ratio({100, 400}, {100, 400}), 0.25);
  EXPECT_DOUBLE_EQ(fit_noise_ratio({100, 50}, {300, 200}), (0.02 + 0.005) / (0.01 + 1.0 / 300.0));
  EXPECT_EQ(fit_noise_ratio({100, 0}, {100, 0}), 0.0);  // not fitted
}

// Roots of chi-squared variables, defined as sums of squares; 0.135 % exceed 3 deviations
TEST(SlicedLimit, IsExceededAsOftenAsItsDeviationsSay) {
  for (const int degrees : {1, 3, 20}) {
    Random random(static_cast<std::uint64_t>(degrees));
    Vector values(200001);
    for (double& value : values) {
      value = 0.0;
      for (int i = 0; i < degrees; ++i) value += std::pow(random.normal(), 2);
      value = std::sqrt(value);
    }
    const PermutationNull null = null_of(values);
    for (const double deviations : {1.0, 2.0, 3.0}) {
      const double limit = *sliced_limit(null, 0.0, deviations);
      const auto n_above = static_cast<double>((values.array() > limit).count());
      EXPECT_NEAR(n_above / 200001.0 / upper_tail(deviations), 1.0, 0.25)
          << degrees << " " << deviations;
    }
  }
}

TEST(SlicedLimit, GrowsWithTheNoiseOfTheFit) {
  const PermutationNull null{199, 0.1, 0.2, 0.5, 0.03};
  EXPECT_DOUBLE_EQ(*sliced_limit(null, 3.0, 2.0), 2.0 * *sliced_limit(null, 0.0, 2.0));
  EXPECT_FALSE(sliced_limit({}, 0.0, 2.0).has_value());
  EXPECT_EQ(*sliced_limit({199, 0.0, 0.0, 1.0, 0.0}, 0.0, 2.0), 0.0);  // all points are one
}

/// Two samples of a standard normal on the line, each shifted by the error of a map that was fitted
/// to equally many samples, which is their mean.
double excess_of_noisy_shift(Random& random, Index n_held_out, Index n_fitted) {
  RowMatrix samples[2];
  for (RowMatrix& own : samples) {
    own.resize(n_held_out, 1);
    const double shift = random.normal() / std::sqrt(static_cast<double>(n_fitted));
    for (double& value : own.reshaped()) value = random.normal() + shift;
  }
  const Separation measured = separation(samples[0], samples[1], {.n_permutations = 49});
  const SampleSizes sizes{static_cast<double>(n_held_out), static_cast<double>(n_fitted)};
  return measured.auc - auc_limit(measured, sizes, sizes, 1.0, 1.645);
}

TEST(AucLimit, AccountsForTheNoiseOfTheFit) {
  Random random(5);
  int n_above = 0;
  for (int i = 0; i < 100; ++i) n_above += excess_of_noisy_shift(random, 100, 25) > 0.0 ? 1 : 0;
  EXPECT_LE(n_above, 10);  // 5 expected
}

TEST(AucLimit, IsThatOfThePermutationsWithoutAFit) {
  Separation measured;
  measured.n_neighbors = 10;
  measured.null = {199, 0.5, 0.54, 0.5, 0.02};
  EXPECT_DOUBLE_EQ(auc_limit(measured, {100, 0}, {100, 0}, 5.0, 2.0), 0.54);
  // K = 9 independent neighbourhoods, r = 1/2: a fit with many parameters affects all
  const double all = 0.5 + 0.02 * (0.5 * 9.0 / 3.0 + 2.0 * std::sqrt(2.5));
  EXPECT_DOUBLE_EQ(auc_limit(measured, {100, 100}, {100, 100}, 1e9, 2.0), all);
  const double few = 0.5 + 0.02 * (0.5 * 3.0 / 3.0 + 2.0 * std::sqrt(2.0 + 0.5 / 3.0));
  EXPECT_DOUBLE_EQ(auc_limit(measured, {100, 100}, {100, 100}, 3.0, 2.0), few);
  EXPECT_EQ(auc_limit(measured, {100, 1}, {100, 1}, 3.0, 2.0), 1.0);
}

TEST(AucLimit, HasABoundWithoutPermutations) {
  Random random(6);
  int n_above = 0;
  for (int i = 0; i < 200; ++i) {
    RowMatrix points(150, 2);
    for (double& value : points.reshaped()) value = random.normal();
    const Separation measured =
        separation(RowMatrix(points.topRows(50)), RowMatrix(points.bottomRows(100)));
    n_above += measured.auc > auc_limit(measured, {50, 0}, {100, 0}, 1.0, 1.645) ? 1 : 0;
  }
  EXPECT_LE(n_above, 18);  // 10 expected
}

// weights of two samples from one distribution
TEST(MisplacedMassLimit, IsRarelyExceededByDrawsFromEqualWeights) {
  Vector weights(3);
  weights << 0.5, 0.3, 0.2;
  Random random(7);
  const auto drawn = [&](Index n) {
    Vector counts = Vector::Zero(3);
    for (Index i = 0; i < n; ++i) {
      const double u = random.uniform();
      counts[u < 0.5 ? 0 : (u < 0.8 ? 1 : 2)] += 1.0;
    }
    return Vector(counts / static_cast<double>(n));
  };
  int n_above = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vector first = drawn(100);
    const Vector second = drawn(200);
    const double misplaced = 0.5 * (first - second).cwiseAbs().sum();
    n_above += misplaced > misplaced_mass_limit(first, second, 100, 200, 1.645) ? 1 : 0;
  }
  EXPECT_GE(n_above, 5);  // 50 expected at most
  EXPECT_LE(n_above, 60);
  EXPECT_EQ(misplaced_mass_limit(weights, weights, 0, 0, 2.0), 0.0);
}

}  // namespace
}  // namespace lbw
