// SPDX-License-Identifier: MIT
#include "mixture/holdout.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/mixtures.hpp"

namespace lbw {
namespace {

using Weights = std::vector<double>;

/// The weights of the fitted samples, 0 for held-out ones.
Weights fitted_weights(Index n_samples, std::uint64_t seed, const Weights& sample_weights = {}) {
  const RowMatrix samples = RowMatrix::Zero(n_samples, 1);
  const Holdout holdout({samples, sample_weights}, seed);
  const auto weights = holdout.fitted().weights;
  return {weights.begin(), weights.end()};
}

TEST(Holdout, TakesOneOfEveryFive) {
  const Weights weights = fitted_weights(1000, 3);
  std::vector<int> places(5, 0);
  for (std::size_t begin = 0; begin < 1000; begin += 5) {
    int held_out = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      const double weight = weights[begin + i];
      EXPECT_TRUE(weight == 0.0 || weight == 1.0);
      held_out += weight == 0.0 ? 1 : 0;
      places[i] += weight == 0.0 ? 1 : 0;
    }
    EXPECT_EQ(held_out, 1);
  }
  for (const int count : places) EXPECT_NEAR(count, 40, 25);  // four standard deviations
}

TEST(Holdout, IsAFunctionOfTheSeed) {
  EXPECT_EQ(fitted_weights(500, 3), fitted_weights(500, 3));
  EXPECT_NE(fitted_weights(500, 3), fitted_weights(500, 4));
}

TEST(Holdout, MaySkipAShortLastInterval) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Weights weights = fitted_weights(6, seed);
    EXPECT_GE(std::ranges::count(weights, 1.0), 4);
    EXPECT_LE(std::ranges::count(weights, 1.0), 5);
  }
}

TEST(Holdout, MeasuresTheSamplesOfWeightZeroAlone) {
  const Mixture mixture = random_mixture({.seed = 2});
  const RowMatrix samples = sample(mixture, 1234, 1).samples;
  const oracle::LongVector densities = oracle::log_densities(mixture, samples);
  Weights own(1234);
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = 1e300 * static_cast<double>(1 + i % 3);
  for (const Weights& given : {Weights(), own}) {
    const Holdout holdout({samples, given}, 7);
    long double sum = 0.0L;
    long double total = 0.0L;
    for (Index i = 0; i < 1234; ++i) {
      const auto place = static_cast<std::size_t>(i);
      if (holdout.fitted().weights[place] > 0.0) continue;
      const long double weight = given.empty() ? 1.0L : given[place];
      sum += weight * densities[i];
      total += weight;
    }
    EXPECT_NEAR(holdout.mean_log_likelihood(mixture, {}), static_cast<double>(sum / total), 1e-11);
  }
}

TEST(Holdout, KeepsTheWeightsOfFittedSamples) {
  Weights given(50);
  for (std::size_t i = 0; i < given.size(); ++i) given[i] = 0.5 + static_cast<double>(i);
  const Weights weights = fitted_weights(50, 3, given);
  for (std::size_t i = 0; i < given.size(); ++i) {
    EXPECT_TRUE(weights[i] == 0.0 || weights[i] == given[i]);
  }
  EXPECT_EQ(std::ranges::count(weights, 0.0), 10);
}

}  // namespace
}  // namespace lbw
