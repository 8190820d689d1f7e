// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/types.hpp>

#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

constexpr Shrinkage automatic{.automatic = true};

MixtureOptions shrunk_options(int n_components, CovarianceType type = CovarianceType::full) {
  MixtureOptions options;
  options.n_components = n_components;
  options.covariance_type = type;
  options.covariance_floor = 0.0;
  options.shrinkage = automatic;
  return options;
}

TEST(FitMixture, ShrunkNeedsNoFloorWhereSamplesAreFewerThanFeatures) {
  const RowMatrix samples =
      sample(random_mixture({.n_components = 2, .n_features = 60, .seed = 3}), 50, 1).samples;
  for (const CovarianceType type : all_covariance_types) {
    for (const MixtureStart start :
         {MixtureStart::kmeans, MixtureStart::kmeans_plusplus, MixtureStart::random_points,
          MixtureStart::random_responsibilities}) {
      MixtureOptions options = shrunk_options(2, type);
      options.start = start;
      const MixtureFit fit = fit_mixture(samples, options);
      EXPECT_TRUE(fit.converged) << to_string(type);
      EXPECT_EQ(fit.replaced_components, 0);
      check_mixture(fit.mixture, "fit_mixture", "mixture");
    }
  }
  MixtureOptions none = shrunk_options(2);
  none.shrinkage = {};
  EXPECT_THROW((void)fit_mixture(samples, none), NumericalError);
}

TEST(FitMixture, ShrunkHasAHigherHeldOutLikelihood) {
  const Mixture truth = random_mixture({.n_components = 2, .n_features = 30, .seed = 5});
  const RowMatrix seen = sample(truth, 160, 1).samples;
  const RowMatrix unseen = sample(truth, 4000, 2).samples;
  for (const CovarianceType type : {CovarianceType::full, CovarianceType::tied}) {
    MixtureOptions options = shrunk_options(2, type);
    options.covariance_floor = 1e-6;
    const double shrunk = mean_log_likelihood(fit_mixture(seen, options).mixture, unseen);
    options.shrinkage = {};
    const double plain = mean_log_likelihood(fit_mixture(seen, options).mixture, unseen);
    EXPECT_GT(shrunk, plain) << to_string(type);
  }
}

TEST(FitMixture, ShrunkConvergesToAFixedPointOfItsSteps) {
  const RowMatrix samples =
      sample(random_mixture({.n_features = 4, .spread = 2.0, .seed = 9}), 400, 1).samples;
  for (const CovarianceType type : all_covariance_types) {
    for (const Shrinkage& shrinkage : {automatic, Shrinkage{.amount = 0.3}}) {
      MixtureOptions options = shrunk_options(3, type);
      options.shrinkage = shrinkage;
      options.tolerance = 1e-13;
      options.max_iterations = 2000;
      const MixtureFit fit = fit_mixture(samples, options);
      EXPECT_TRUE(fit.converged);
      EXPECT_EQ(fit.mean_log_likelihood, fit.history.back());
      const Mixture next =
          next_mixture(fit.mixture, moment_sums(fit.mixture, samples), 0.0, shrinkage).mixture;
      // if the likelihood changes by 1e-13, its parameters may change by the root of that
      EXPECT_LT(mixture_error(next, fit.mixture), 1e-5);
    }
  }
}

TEST(FitMixture, AmountZeroIsNoShrinkageToTheBit) {
  const RowMatrix samples = sample(random_mixture({.seed = 9}), 400, 1).samples;
  for (const CovarianceType type : all_covariance_types) {
    MixtureOptions options = shrunk_options(3, type);
    options.shrinkage = {};
    const MixtureFit plain = fit_mixture(samples, options);
    options.shrinkage = {.automatic = false, .amount = 0.0};
    options.relative_covariance_floor = 0.0;
    EXPECT_EQ(fit_mixture(samples, options).mixture.covariances, plain.mixture.covariances);
  }
}

TEST(FitMixture, RegularizedIsTheSameAtAnyNumberOfThreads) {
  const RowMatrix samples = sample(random_mixture({.n_features = 8, .seed = 9}), 3000, 1).samples;
  MixtureOptions options = shrunk_options(3);
  options.relative_covariance_floor = 0.01;
  options.execution.n_threads = 1;
  const MixtureFit alone = fit_mixture(samples, options);
  options.execution.n_threads = 3;
  const MixtureFit together = fit_mixture(samples, options);
  EXPECT_EQ(alone.mixture.means, together.mixture.means);
  EXPECT_EQ(alone.mixture.covariances, together.mixture.covariances);
}

/// The covariance of all samples, by its definition.
Matrix covariance_of(const RowMatrix& samples) {
  const RowMatrix centered = samples.rowwise() - samples.colwise().mean();
  return centered.transpose() * centered / static_cast<double>(samples.rows());
}

TEST(FitMixture, RelativeFloorIsAFractionOfEachFeaturesVariance) {
  RowMatrix samples = sample(random_mixture({.n_features = 3, .seed = 4}), 500, 1).samples;
  samples.col(1) *= 100.0;
  const Matrix covariance = covariance_of(samples);
  const Vector floors = (0.02 * covariance.diagonal()).array() + 0.5;
  Matrix expected = covariance;
  expected.diagonal() += floors;
  for (const CovarianceType type : all_covariance_types) {
    MixtureOptions options;
    options.covariance_type = type;
    options.covariance_floor = 0.5;
    options.relative_covariance_floor = 0.02;
    const MixtureFit fit = fit_mixture(samples, options);
    EXPECT_LT(relative_error(fit.mixture.covariances.front(),
                             oracle::compact(expected.cast<long double>(), type)),
              1e-12)
        << to_string(type);
  }
}

TEST(FitMixture, RelativeFloorCommutesWithTheUnitsOfFeatures) {
  const RowMatrix samples = sample(random_mixture({.seed = 31}), 800, 1).samples;
  const Eigen::RowVector2d units(1e-3, 50.0);
  MixtureOptions options;
  options.n_components = 3;
  options.covariance_floor = 0.0;
  options.relative_covariance_floor = 0.05;
  options.initial = random_mixture({.seed = 32});
  const MixtureFit fit = fit_mixture(samples, options);
  options.initial->means *= units.asDiagonal();
  for (Matrix& covariance : options.initial->covariances) {
    covariance = units.asDiagonal() * covariance * units.asDiagonal();
  }
  const RowMatrix in_units = samples * units.asDiagonal();
  const MixtureFit scaled = fit_mixture(in_units, options);
  for (std::size_t k = 0; k < 3; ++k) {
    const Matrix expected = units.asDiagonal() * fit.mixture.covariances[k] * units.asDiagonal();
    EXPECT_LT(relative_error(scaled.mixture.covariances[k], expected), 1e-9);
  }
}

TEST(FitMixture, NamesBadRegularization) {
  const RowMatrix samples = sample(random_mixture({.seed = 31}), 20, 1).samples;
  MixtureOptions options;
  options.relative_covariance_floor = -0.5;
  expect_error<InvalidArgument>(
      [&] { (void)fit_mixture(samples, options); },
      "fit_mixture: relative_covariance_floor is -0.5, expected a number >= 0");
  options.relative_covariance_floor = 0.1;
  options.floor_variances = Vector::Ones(9);
  expect_error<InvalidArgument>(
      [&] { (void)fit_mixture(samples, options); },
      "fit_mixture: floor_variances has 9 entries for 2 features, expected one per feature");
  options.floor_variances = Vector::Constant(2, -1.0);
  expect_error<InvalidArgument>(
      [&] { (void)fit_mixture(samples, options); },
      "fit_mixture: floor_variances contains -1, expected finite numbers >= 0");
  options.floor_variances = {};
  options.relative_covariance_floor = 0.0;
  options.shrinkage.amount = 1.25;
  expect_error<InvalidArgument>(
      [&] { (void)fit_mixture(samples, options); },
      "fit_mixture: shrinkage is 1.25, expected auto or a number from 0 to 1");
  const Mixture current = random_mixture({.seed = 1});
  expect_error<InvalidArgument>(
      [&] { (void)next_mixture(current, moment_sums(current, samples), 0.0, {.amount = -1.0}); },
      "next_mixture: shrinkage is -1, expected a number from 0 to 1 or automatic");
}

}  // namespace
}  // namespace lbw
