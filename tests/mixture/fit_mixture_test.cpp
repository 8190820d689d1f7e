// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/types.hpp>
#include <stdexcept>

#include "support/mixtures.hpp"

namespace lbw {
namespace {

MixtureOptions options_of(int n_components, CovarianceType type = CovarianceType::full) {
  MixtureOptions options;
  options.n_components = n_components;
  options.covariance_type = type;
  return options;
}

class FitMixtureTest : public ::testing::TestWithParam<CovarianceType> {
 protected:
  Mixture truth = random_mixture({.n_features = 3, .covariance_type = GetParam(), .seed = 21});
  RowMatrix samples = sample(truth, 3000, 7).samples;
};

TEST_P(FitMixtureTest, FollowsADirectImplementationStepByStep) {
  MixtureOptions options = options_of(3, GetParam());
  options.initial =
      random_mixture({.n_features = 3, .covariance_type = GetParam(), .spread = 3.0, .seed = 22});
  options.tolerance = 0.0;
  options.max_iterations = 12;
  const MixtureFit fit = fit_mixture(samples, options);
  ASSERT_EQ(fit.history.size(), 13U);
  Mixture expected = *options.initial;
  for (const double likelihood : fit.history) {
    const auto direct = static_cast<double>(oracle::log_densities(expected, samples).mean());
    EXPECT_NEAR(likelihood, direct, 1e-10 * std::abs(direct));
    expected = oracle::em_step(expected, samples, options.covariance_floor);
  }
}

TEST_P(FitMixtureTest, NeverLowersTheLikelihoodWithTheFloorOff) {
  MixtureOptions options = options_of(4, GetParam());
  options.covariance_floor = 0.0;
  options.tolerance = 0.0;
  options.max_iterations = 60;
  options.start = MixtureStart::random_points;
  const MixtureFit fit = fit_mixture(samples, options);
  ASSERT_EQ(fit.replaced_components, 0);
  for (std::size_t i = 1; i < fit.history.size(); ++i) {
    // rounding of a mean of 3000 terms of size 10
    EXPECT_GE(fit.history[i], fit.history[i - 1] - 1e-13 * 10);
  }
}

// Components from random responsibilities are nearly equal, so the first steps change little.
TEST_P(FitMixtureTest, LeavesTheSaddlePointOfARandomStart) {
  MixtureOptions options = options_of(3, GetParam());
  options.start = MixtureStart::random_responsibilities;
  options.start_samples = samples.rows();
  const MixtureFit fit = fit_mixture(samples, options);
  const double single = fit_mixture(samples, options_of(1, GetParam())).mean_log_likelihood;
  const double whole = mean_log_likelihood(truth, samples);
  EXPECT_GE(fit.mean_log_likelihood - single, 0.5 * (whole - single));
}

// Two starts are compared after five steps. A fit with at most five steps uses only the first.
TEST_P(FitMixtureTest, ContinuesFromTheBetterOfTwoStarts) {
  int n_better = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    MixtureOptions options = options_of(8, GetParam());
    options.start = MixtureStart::random_points;
    options.seed = seed;
    options.start_samples = samples.rows();
    const std::vector<double> history = fit_mixture(samples, options).history;
    options.max_iterations = 5;
    const double first = fit_mixture(samples, options).mean_log_likelihood;
    const double chosen = history[std::min<std::size_t>(5, history.size() - 1)];
    EXPECT_GE(chosen, first);
    n_better += chosen > first ? 1 : 0;
  }
  // half of the fits if all compare their starts, which good starts do not
  EXPECT_GE(n_better, 3);
  EXPECT_LE(n_better, 17);
}

TEST_P(FitMixtureTest, ReachesTheLikelihoodOfTheTruth) {
  for (const MixtureStart start :
       {MixtureStart::kmeans, MixtureStart::kmeans_plusplus, MixtureStart::random_points}) {
    MixtureOptions options = options_of(3, GetParam());
    options.start = start;
    options.n_init = 3;
    options.tolerance = 1e-6;
    options.max_iterations = 500;
    const MixtureFit fit = fit_mixture(samples, options);
    EXPECT_TRUE(fit.converged);
    EXPECT_GE(fit.mean_log_likelihood, mean_log_likelihood(truth, samples));
    EXPECT_EQ(fit.mean_log_likelihood, fit.history.back());
    EXPECT_NEAR(fit.mean_log_likelihood, mean_log_likelihood(fit.mixture, samples), 1e-12);
    EXPECT_EQ(fit.history.size(), static_cast<std::size_t>(fit.iterations) + 1);
  }
}

TEST_P(FitMixtureTest, GivesTheSameBitsAtAnyThreadCount) {
  const RowMatrix plenty = sample(truth, 60'000, 8).samples;  // enough samples for a second thread
  MixtureOptions options = options_of(3, GetParam());
  options.execution.n_threads = 1;
  const MixtureFit one = fit_mixture(plenty, options);
  options.execution.n_threads = 3;
  const MixtureFit three = fit_mixture(plenty, options);
  EXPECT_EQ(one.history, three.history);
  EXPECT_EQ(one.mixture.means, three.mixture.means);
  EXPECT_EQ(one.mixture.covariances, three.mixture.covariances);
}

TEST_P(FitMixtureTest, TakesAWeightOfTwoAsTheSampleTwice) {
  const Index n = samples.rows();
  RowMatrix doubled(n + 100, 3);
  doubled << samples, samples.topRows(100);
  std::vector<double> weights(static_cast<std::size_t>(n), 1.0);
  std::fill(weights.begin(), weights.begin() + 100, 2.0);
  MixtureOptions options = options_of(3, GetParam());
  options.initial = truth;
  const MixtureFit weighted = fit_mixture(samples, options, weights);
  const MixtureFit repeated = fit_mixture(doubled, options);
  EXPECT_LT(mixture_error(weighted.mixture, repeated.mixture), 1e-11);
  EXPECT_NEAR(weighted.mean_log_likelihood, repeated.mean_log_likelihood, 1e-12);
}

// All samples belong to a single component, so one step is sufficient from any start.
TEST_P(FitMixtureTest, GivesASingleComponentTheMomentsOfAllSamples) {
  const Mixture anywhere =
      random_mixture({.n_components = 1, .n_features = 3, .covariance_type = GetParam()});
  MixtureOptions options = options_of(1, GetParam());
  const Mixture expected = oracle::em_step(anywhere, samples, options.covariance_floor);
  std::vector<double> reported;
  options.on_iteration = [&](const FitProgress& progress) {
    reported.push_back(progress.mean_log_likelihood);
  };
  const MixtureFit fit = fit_mixture(samples, options);
  EXPECT_LT(relative_error(fit.mixture.means, expected.means), 1e-12);
  EXPECT_LT(relative_error(fit.mixture.covariances[0], expected.covariances[0]), 1e-12);
  EXPECT_EQ(fit.mixture.weights, Vector::Ones(1));
  const auto direct = static_cast<double>(oracle::log_densities(expected, samples).mean());
  EXPECT_NEAR(fit.mean_log_likelihood, direct, 1e-12 * std::abs(direct));
  EXPECT_EQ(fit.history, std::vector<double>(2, fit.mean_log_likelihood));
  EXPECT_EQ(reported, fit.history);
  EXPECT_EQ(fit.iterations, 1);
  EXPECT_TRUE(fit.converged);
}

// The reference point of the sums comes from every fifth of 6000 samples. Here these have no weight
// and are far away.
TEST_P(FitMixtureTest, KeepsTheDigitsOfASingleComponentFarFromSamplesWithoutWeight) {
  constexpr Index n = 6000;
  RowMatrix spoiled(n, 3);
  std::vector<double> weights(n, 1.0);
  for (Index i = 0; i < n; ++i) {
    spoiled.row(i) = samples.row(i % samples.rows());
    if (i % 5 != 0) continue;
    spoiled.row(i).setConstant(1e9);
    weights[static_cast<std::size_t>(i)] = 0.0;
  }
  RowMatrix weighed(n - n / 5, 3);
  for (Index i = 0; i < n / 5; ++i) weighed.middleRows(4 * i, 4) = spoiled.middleRows(5 * i + 1, 4);
  const Mixture fit = fit_mixture(spoiled, options_of(1, GetParam()), weights).mixture;
  const Mixture expected = fit_mixture(weighed, options_of(1, GetParam())).mixture;
  EXPECT_LT(relative_error(fit.means, expected.means), 1e-12);
  EXPECT_LT(relative_error(fit.covariances[0], expected.covariances[0]), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(AllTypes, FitMixtureTest, ::testing::ValuesIn(all_covariance_types),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(FitMixture, CommutesWithRotationShiftAndScale) {
  const Mixture truth = random_mixture({.seed = 31});
  const RowMatrix samples = sample(truth, 800, 1).samples;
  Random random(9);
  const Matrix rotation = random_rotation(2, random);
  const Eigen::RowVector2d shift(5.0, -7.0);
  const RowMatrix moved = ((3.0 * samples) * rotation.transpose()).rowwise() + shift;
  MixtureOptions options = options_of(3);
  options.covariance_floor = 1e-6;
  const MixtureFit fit = fit_mixture(samples, options);
  options.covariance_floor = 9e-6;
  const MixtureFit moved_fit = fit_mixture(moved, options);
  const RowMatrix means = ((3.0 * fit.mixture.means) * rotation.transpose()).rowwise() + shift;
  // the same draws select the same samples, and rounding grows with the steps
  EXPECT_LT(relative_error(moved_fit.mixture.means, means), 1e-9);
  for (std::size_t k = 0; k < 3; ++k) {
    const Matrix expected = 9.0 * rotation * fit.mixture.covariances[k] * rotation.transpose();
    EXPECT_LT(relative_error(moved_fit.mixture.covariances[k], expected), 1e-8);
  }
}

TEST(FitMixture, AcceptsFloatSamples) {
  const RowMatrixF floats = sample(random_mixture({.seed = 3}), 500, 1).samples.cast<float>();
  const RowMatrix doubles = floats.cast<double>();
  EXPECT_EQ(fit_mixture(floats, options_of(3)).history,
            fit_mixture(doubles, options_of(3)).history);
}

TEST(FitMixture, KeepsTheBestOfItsRestarts) {
  const RowMatrix samples =
      sample(random_mixture({.n_components = 12, .spread = 3.0, .seed = 8}), 1500, 1).samples;
  MixtureOptions options = options_of(12);
  options.start = MixtureStart::random_points;
  std::vector<double> finals(8);
  options.n_init = 8;
  options.on_iteration = [&](const FitProgress& progress) {
    finals[static_cast<std::size_t>(progress.restart)] = progress.mean_log_likelihood;
  };
  const MixtureFit fit = fit_mixture(samples, options);
  EXPECT_EQ(fit.mean_log_likelihood, *std::max_element(finals.begin(), finals.end()));
  EXPECT_GT(fit.mean_log_likelihood, finals.front());
}

TEST(FitMixture, ReportsThatItRanOutOfSteps) {
  const RowMatrix samples = sample(random_mixture({.spread = 1.0, .seed = 8}), 500, 1).samples;
  MixtureOptions options = options_of(3);
  options.max_iterations = 2;
  options.tolerance = 1e-9;
  const MixtureFit fit = fit_mixture(samples, options);
  EXPECT_FALSE(fit.converged);
  EXPECT_EQ(fit.iterations, 2);
}

TEST(FitMixture, ReportsTheStepsOfKmeansBeforeThoseOfEm) {
  MixtureOptions options = options_of(3);
  std::vector<std::pair<bool, int>> seen;
  options.on_iteration = [&](const FitProgress& progress) {
    seen.emplace_back(progress.starting, progress.iteration);
    EXPECT_EQ(progress.mean_log_likelihood == 0.0, progress.starting);
  };
  const MixtureFit fit = fit_mixture(sample(random_mixture({.seed = 3}), 300, 1).samples, options);
  EXPECT_EQ(seen.front(), std::make_pair(true, 1));
  EXPECT_EQ(seen.back(), std::make_pair(false, fit.iterations));
  EXPECT_TRUE(
      std::is_partitioned(seen.begin(), seen.end(), [](const auto& step) { return step.first; }));
}

TEST(FitMixture, EndsWithWhatTheCallbackThrows) {
  MixtureOptions options = options_of(2);
  options.on_iteration = [](const FitProgress&) { throw std::runtime_error("stop"); };
  EXPECT_THROW((void)fit_mixture(RowMatrix(RowMatrix::Random(50, 2)), options), std::runtime_error);
}

TEST(FitMixture, HandlesClustersOfEqualPointsWithoutFloor) {
  // three clusters of equal points and a cloud: without a floor a component collapses on each
  // cluster
  RowMatrix samples(130, 2);
  Random random(4);
  for (Index i = 0; i < 130; ++i) {
    if (i < 90) {
      samples.row(i).setConstant(10.0 * static_cast<double>(i / 30));
    } else {
      samples.row(i) << 5.0 + random.normal(), random.normal();
    }
  }
  for (const CovarianceType type :
       {CovarianceType::full, CovarianceType::diagonal, CovarianceType::spherical}) {
    MixtureOptions options = options_of(5, type);
    options.covariance_floor = 0.0;
    const MixtureFit fit = fit_mixture(samples, options);
    EXPECT_TRUE(all_finite(fit.mixture));
    check_mixture(fit.mixture, "fit", "mixture");
    EXPECT_GT(fit.replaced_components, 0);
    EXPECT_LE(fit.replaced_components, 10);
    EXPECT_TRUE(std::isfinite(fit.mean_log_likelihood));
  }
}

TEST(FitMixture, ReplacesAComponentThatStartsFarFromAllSamples) {
  const Mixture truth = random_mixture({.n_components = 2, .seed = 41});
  const RowMatrix samples = sample(truth, 1000, 1).samples;
  MixtureOptions options = options_of(2);
  options.initial = truth;
  options.initial->means.row(1).setConstant(1e5);
  options.max_iterations = 300;
  options.tolerance = 1e-7;
  const MixtureFit fit = fit_mixture(samples, options);
  EXPECT_EQ(fit.replaced_components, 1);
  EXPECT_GE(fit.mean_log_likelihood, mean_log_likelihood(truth, samples));
}

TEST(FitMixture, EndsWithTheBestMixtureIfMovedComponentsDoNotHelp) {
  // a few far outliers: components collapse on them without a floor, and are moved in vain
  int n_lower_steps = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Random random(seed);
    RowMatrix samples(2000, 2);
    for (Index i = 0; i < samples.rows(); ++i) {
      const double scale = i % 1000 == 0 ? 1e6 : 1.0;
      samples.row(i) << scale * random.normal() + static_cast<double>(3 * (i % 4)), random.normal();
    }
    MixtureOptions options = options_of(8);
    options.seed = seed;
    options.covariance_floor = 0.0;
    options.initial = Mixture(fit_mixture(samples, options).mixture);
    options.initial->means.bottomRows(4).setConstant(1e7);  // four lost components
    double best = -std::numeric_limits<double>::infinity();
    options.on_iteration = [&](const FitProgress& progress) {
      if (progress.mean_log_likelihood < best) ++n_lower_steps;
      best = std::max(best, progress.mean_log_likelihood);
    };
    const MixtureFit fit = fit_mixture(samples, options);
    EXPECT_GE(fit.mean_log_likelihood, best) << "seed " << seed;
    EXPECT_EQ(fit.mean_log_likelihood, fit.history.back());
    EXPECT_EQ(fit.history.size(), static_cast<std::size_t>(fit.iterations) + 1);
    EXPECT_NEAR(mean_log_likelihood(fit.mixture, samples), fit.mean_log_likelihood, 1e-12);
  }
  EXPECT_GT(n_lower_steps, 0);  // otherwise the data tests nothing
}

// Eight samples of ten features have a singular covariance.
TEST(FitMixture, CountsComponentsThatKeepAnEarlierCovariance) {
  const Mixture one = random_mixture({.n_components = 1, .n_features = 10, .seed = 3});
  RowMatrix samples = sample(one, 608, 1).samples;
  samples.bottomRows(8).array() += 300.0;
  MixtureOptions options = options_of(2);
  options.covariance_floor = 0.0;
  EXPECT_EQ(fit_mixture(samples, options).unestimated_components, 1);
  options.covariance_floor = 1e-3;
  EXPECT_EQ(fit_mixture(samples, options).unestimated_components, 0);
}

TEST(FitMixture, DoesNotTakeAReplacementForConvergence) {
  const Mixture truth = random_mixture({.n_components = 2, .seed = 41});
  MixtureOptions options = options_of(2);
  options.initial = truth;
  options.initial->means.row(1).setConstant(1e5);
  options.tolerance = 1e9;  // any two likelihoods meet this tolerance
  const MixtureFit fit = fit_mixture(sample(truth, 500, 1).samples, options);
  EXPECT_EQ(fit.replaced_components, 1);
  EXPECT_EQ(fit.iterations, 2);  // the first step replaced a component and does not count
  EXPECT_TRUE(fit.converged);
}

TEST(FitMixture, WorksAtHugeAndTinyScales) {
  const RowMatrix samples = sample(random_mixture({.seed = 5}), 400, 1).samples;
  for (const double scale : {1e-60, 1e-3, 1e60}) {
    MixtureOptions options = options_of(3);
    options.covariance_floor = 0.0;
    const MixtureFit fit = fit_mixture(RowMatrix(scale * samples), options);
    const MixtureFit unit = fit_mixture(samples, options);
    EXPECT_LT(relative_error(fit.mixture.means / scale, unit.mixture.means), 1e-9);
  }
}

TEST(FitMixture, TakesOneSampleForOneComponent) {
  const MixtureFit fit = fit_mixture(RowMatrix{{2.0, 3.0}}, options_of(1));
  EXPECT_EQ(fit.mixture.means, (RowMatrix{{2.0, 3.0}}));
  EXPECT_EQ(fit.mixture.covariances[0], 1e-6 * Matrix::Identity(2, 2));
  EXPECT_TRUE(fit.converged);
}

}  // namespace
}  // namespace lbw
