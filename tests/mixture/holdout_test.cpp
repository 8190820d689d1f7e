// SPDX-License-Identifier: MIT
#include "mixture/holdout.hpp"

#include <gtest/gtest.h>

#include "support/mixtures.hpp"

namespace lbw {
namespace {

TEST(Holdout, TakesOneOfEveryFive) {
  const Holdout holdout(1000, 3);
  EXPECT_EQ(holdout.n_fitted(), 800);
  std::vector<int> places(5, 0);
  for (std::size_t begin = 0; begin < 1000; begin += 5) {
    int held_out = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      const double weight = holdout.weights()[begin + i];
      EXPECT_TRUE(weight == 0.0 || weight == 1.0);
      held_out += weight == 0.0 ? 1 : 0;
      places[i] += weight == 0.0 ? 1 : 0;
    }
    EXPECT_EQ(held_out, 1);
  }
  for (const int count : places) EXPECT_NEAR(count, 40, 25);  // four standard deviations
}

TEST(Holdout, IsAFunctionOfTheSeed) {
  EXPECT_EQ(Holdout(500, 3).weights(), Holdout(500, 3).weights());
  EXPECT_NE(Holdout(500, 3).weights(), Holdout(500, 4).weights());
}

TEST(Holdout, MaySkipAShortLastInterval) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Holdout holdout(6, seed);
    EXPECT_GE(holdout.n_fitted(), 4);
    EXPECT_LE(holdout.n_fitted(), 5);
  }
}

TEST(Holdout, MeasuresTheSamplesOfWeightZeroAlone) {
  const Mixture mixture = random_mixture({.seed = 2});
  const RowMatrix samples = sample(mixture, 1234, 1).samples;
  const Holdout holdout(1234, 7);
  const oracle::LongVector densities = oracle::log_densities(mixture, samples);
  long double sum = 0.0L;
  for (Index i = 0; i < 1234; ++i) {
    if (holdout.weights()[static_cast<std::size_t>(i)] == 0.0) sum += densities[i];
  }
  const auto expected =
      static_cast<double>(sum / static_cast<long double>(1234 - holdout.n_fitted()));
  EXPECT_NEAR(holdout.mean_log_likelihood(mixture, samples, {}), expected, 1e-11);
}

}  // namespace
}  // namespace lbw
