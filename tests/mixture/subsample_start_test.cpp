// SPDX-License-Identifier: MIT
// Fits that start on a subsample, compared with fits that do not.
#include <gtest/gtest.h>

#include <cmath>

#include "support/mixtures.hpp"

namespace lbw {
namespace {

class SubsampleStart : public ::testing::Test {
 protected:
  Mixture truth = random_mixture({.n_components = 4, .n_features = 2, .spread = 2.0, .seed = 8});
  RowMatrix samples = sample(truth, 12'000, 5).samples;
  MixtureOptions options = {.n_components = 4};
};

TEST_F(SubsampleStart, IsTheDefaultOfALargeFitAndSavesPasses) {
  const MixtureFit quick = fit_mixture(samples, options);
  options.start_samples = samples.rows();
  const MixtureFit thorough = fit_mixture(samples, options);
  EXPECT_GT(quick.start_iterations, 0);
  EXPECT_EQ(thorough.start_iterations, 0);
  EXPECT_LT(quick.iterations, thorough.iterations);
  EXPECT_TRUE(quick.converged);
  EXPECT_GT(quick.mean_log_likelihood, thorough.mean_log_likelihood - 2.0 * options.tolerance);
}

TEST_F(SubsampleStart, ReportsTheLikelihoodOfAllSamples) {
  const MixtureFit fit = fit_mixture(samples, options);
  EXPECT_NEAR(fit.mean_log_likelihood, mean_log_likelihood(fit.mixture, samples), 1e-11);
  EXPECT_EQ(std::ssize(fit.history), fit.iterations + 1);
}

TEST_F(SubsampleStart, SaysWhichStepsWereOnTheSubsample) {
  int on_subsample = 0;
  int on_all = 0;
  options.on_iteration = [&](const FitProgress& progress) {
    EXPECT_TRUE(!progress.subsample || on_all == 0);  // comes first
    if (!progress.starting) ++(progress.subsample ? on_subsample : on_all);
  };
  const MixtureFit fit = fit_mixture(samples, options);
  EXPECT_EQ(on_subsample, fit.start_iterations + 1 + 6);  // the rejected start: five steps
  EXPECT_EQ(on_all, fit.iterations + 1);
}

TEST_F(SubsampleStart, GivesTheSameBitsAtAnyThreadCount) {
  const RowMatrix plenty = sample(truth, 60'000, 6).samples;  // with short runs and several threads
  options.execution.n_threads = 1;
  const MixtureFit one = fit_mixture(plenty, options);
  for (const int n_threads : {2, 5}) {
    options.execution.n_threads = n_threads;
    EXPECT_EQ(fit_mixture(plenty, options).mixture.means, one.mixture.means);
  }
}

TEST_F(SubsampleStart, KeepsTheBestOfItsRestarts) {
  options.n_components = 6;
  options.start = MixtureStart::random_points;
  options.n_init = 8;
  const double best = fit_mixture(samples, options).mean_log_likelihood;
  options.n_init = 1;
  EXPECT_GE(best, fit_mixture(samples, options).mean_log_likelihood - 2.0 * options.tolerance);
}

// Only twenty distinct points, far apart in the order, so that a small subsample misses some.
TEST_F(SubsampleStart, UsesAllSamplesWhereASubsampleHasTooFewDistinctOnes) {
  RowMatrix heaps = RowMatrix::Zero(9000, 1);
  for (Index i = 0; i < 19; ++i) heaps(i, 0) = static_cast<double>(i + 1);
  options.n_components = 20;
  options.start_samples = 25;
  const MixtureFit fit = fit_mixture(heaps, options);
  EXPECT_EQ(fit.start_iterations, 0);
  EXPECT_TRUE(all_finite(fit.mixture));
}

TEST_F(SubsampleStart, KeepsWeights) {
  std::vector<double> weights(12'000, 1.0);
  for (std::size_t i = 0; i < 12'000; ++i) weights[i] = samples(static_cast<Index>(i), 0) > 0.0;
  options.n_components = 2;
  const MixtureFit fit = fit_mixture(samples, options, weights);
  // the weighted mean, by its definition
  double sum = 0.0;
  double total = 0.0;
  for (Index i = 0; i < 12'000; ++i) {
    sum += weights[static_cast<std::size_t>(i)] * samples(i, 0);
    total += weights[static_cast<std::size_t>(i)];
  }
  EXPECT_NEAR(fit.mixture.weights.dot(fit.mixture.means.col(0)), sum / total, 1e-6);
}

// One sample in a hundred counts. A subsample of 2048 would have about 20 of them.
TEST_F(SubsampleStart, HasEnoughSamplesThatCountWhereWeightsAreUneven) {
  for (const double rest : {0.0, 1e-12, 1e-4}) {
    std::vector<double> weights(12'000, rest);
    RowMatrix counted(120, 2);
    for (Index i = 0; i < counted.rows(); ++i) {
      weights[static_cast<std::size_t>(100 * i)] = 1.0;
      counted.row(i) = samples.row(100 * i);
    }
    const MixtureFit fit = fit_mixture(samples, options, weights);
    EXPECT_EQ(fit.start_iterations, 0) << rest;
    // weights of 1e-4 sum to 1 % and change the fit a little
    EXPECT_GT(mean_log_likelihood(fit.mixture, counted),
              fit_mixture(counted, options).mean_log_likelihood - 0.05)
        << rest;
  }
}

// Components from random responsibilities are nearly equal, so the first steps change little.
TEST_F(SubsampleStart, ShortRunsLeaveTheSaddlePointOfARandomStart) {
  Mixture two = random_mixture({.n_components = 2, .n_features = 1, .seed = 1});
  two.weights << 0.15, 0.85;
  two.means.col(0) << -2.0, 2.0;
  for (Matrix& covariance : two.covariances) covariance.setConstant(1.0);
  const RowMatrix many = sample(two, 60'000, 6).samples;
  options.n_components = 1;
  const double single = fit_mixture(many, options).mean_log_likelihood;
  options.n_components = 2;
  options.start = MixtureStart::random_responsibilities;
  options.tolerance = 0.01;
  const double whole = mean_log_likelihood(two, many);
  EXPECT_GT(fit_mixture(many, options).mean_log_likelihood - single, 0.5 * (whole - single));
}

// Six components in two clusters are hard to find from one start. Short runs select among twelve.
TEST_F(SubsampleStart, ShortRunsFindABetterStartThanMostSingleStarts) {
  Mixture line = random_mixture({.n_components = 6, .n_features = 1, .seed = 1});
  line.means.col(0) << 0.0, 4.0, 8.0, 30.0, 34.0, 38.0;
  for (Matrix& covariance : line.covariances) covariance.setConstant(1.0);
  const RowMatrix many = sample(line, 200'000, 3).samples;  // 8 * 2048 * 12 of them
  options.n_components = 6;
  options.start = MixtureStart::random_points;
  int worse = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    options.seed = seed;
    options.start_samples = std::nullopt;
    const double quick = fit_mixture(many, options).mean_log_likelihood;
    options.start_samples = many.rows();
    const double single = fit_mixture(many, options).mean_log_likelihood;
    EXPECT_GT(quick, single - 2.0 * options.tolerance) << seed;
    worse += static_cast<int>(single < quick - 0.01);
  }
  EXPECT_GE(worse, 2);
}

TEST_F(SubsampleStart, ZeroStepsReturnTheStart) {
  options.max_iterations = 0;
  const MixtureFit fit = fit_mixture(samples, options);
  EXPECT_EQ(fit.iterations, 0);
  EXPECT_EQ(fit.start_iterations, 0);
  EXPECT_FALSE(fit.converged);
  EXPECT_EQ(fit.history.size(), 1U);
}

TEST_F(SubsampleStart, SinglePrecisionEndsWhereDoubleDoes) {
  const MixtureFit expected = fit_mixture(samples, options);
  options.precision = Precision::f32;
  const MixtureFit fit = fit_mixture(samples, options);
  EXPECT_NEAR(fit.mean_log_likelihood, expected.mean_log_likelihood,
              1e-5 * std::abs(expected.mean_log_likelihood));
}

}  // namespace
}  // namespace lbw
