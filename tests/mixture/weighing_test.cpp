// SPDX-License-Identifier: MIT
#include "mixture/weighing.hpp"

#include <gtest/gtest.h>

#include <lbw/fit_mixture.hpp>

#include "support/expect_error.hpp"
#include "support/mixtures.hpp"
#include "support/repeated_rows.hpp"

namespace lbw {
namespace {

using Weights = std::vector<double>;

TEST(ScaledWeights, AreAPowerOfTwoTimesTheGivenOnes) {
  const Weights usual{0.5, 3.0, 0.0};
  EXPECT_EQ(ScaledWeights(usual).values().data(), usual.data()) << "not copied";
  const Weights huge{1e300, 2.5e299, 0.0, 1e-300};
  const ScaledWeights scaled(huge);
  EXPECT_GE(scaled.values()[0], 1.0);
  EXPECT_LT(scaled.values()[0], 2.0);
  EXPECT_EQ(scaled.values()[1] / scaled.values()[0], huge[1] / huge[0]);
  EXPECT_EQ(scaled.values()[2], 0.0);
  EXPECT_EQ(scaled.values()[3], 0.0) << "less than 1e-308 of the largest";
  const Weights tiny{4e-320, 1e-320};
  EXPECT_GE(ScaledWeights(tiny).values()[0], 1.0);
}

/// The start of EM, which makes a fit of several components a function of weighted sums alone.
MixtureOptions from_initial(CovarianceType type) {
  MixtureOptions options;
  options.n_components = 3;
  options.covariance_type = type;
  options.initial = random_mixture({.covariance_type = type, .seed = 8});
  options.max_iterations = 7;
  options.tolerance = 0.0;
  options.relative_covariance_floor = 0.01;
  return options;
}

TEST(FitMixture, OfWholeWeightsIsThatOfRepeatedRows) {
  const RowMatrix samples = sample(random_mixture({.seed = 8}), 400, 1).samples;
  const Weights weights = whole_weights(400, 2);
  const RowMatrix repeated = repeated_rows(samples, weights);
  for (const CovarianceType type : all_covariance_types) {
    MixtureOptions options = from_initial(type);
    for (const bool shrinks : {false, true}) {
      options.shrinkage.automatic = shrinks;
      const MixtureFit expected = fit_mixture(repeated, options);
      const MixtureFit fit = fit_mixture(samples, options, weights);
      // sums of 600 terms in another order, after seven steps
      EXPECT_LT(mixture_error(fit.mixture, expected.mixture), 1e-10);
      EXPECT_NEAR(fit.mean_log_likelihood, expected.mean_log_likelihood, 1e-11);
    }
    options = {.n_components = 1, .covariance_type = type, .shrinkage = {.automatic = true}};
    EXPECT_LT(mixture_error(fit_mixture(samples, options, weights).mixture,
                            fit_mixture(repeated, options).mixture),
              1e-12);
  }
}

TEST(FitMixture, DoesNotSeeSamplesOfWeightZero) {
  const RowMatrix samples = sample(random_mixture({.seed = 8}), 500, 1).samples;
  const Weights weights = whole_weights(500, 3);
  RowMatrix changed = samples;
  for (Index i = 0; i < 500; ++i) {
    if (weights[static_cast<std::size_t>(i)] == 0.0) changed.row(i).setConstant(1e90);
  }
  const RowMatrix positive = rows_at(samples, positive_positions(weights));
  const Weights others = values_at(std::span<const double>(weights), positive_positions(weights));
  for (const MixtureStart start :
       {MixtureStart::kmeans, MixtureStart::random_points, MixtureStart::random_responsibilities}) {
    MixtureOptions options{.n_components = 3, .start = start};
    const MixtureFit expected = fit_mixture(positive, options, others);
    for (const RowMatrix& with_zeros : {samples, changed}) {
      const MixtureFit fit = fit_mixture(with_zeros, options, weights);
      EXPECT_EQ(fit.mixture.means, expected.mixture.means);
      EXPECT_EQ(fit.mixture.covariances, expected.mixture.covariances);
      EXPECT_EQ(fit.history, expected.history);
    }
  }
}

TEST(FitMixture, DependsOnlyOnRatiosOfWeights) {
  const RowMatrix samples = sample(random_mixture({.seed = 8}), 300, 1).samples;
  const Weights weights = whole_weights(300, 3);
  const MixtureOptions options{.n_components = 3};
  const MixtureFit expected = fit_mixture(samples, options, weights);
  for (const int exponent : {-1060, -40, 1, 40, 1020}) {  // powers of two scale without rounding
    const MixtureFit fit =
        fit_mixture(samples, options, scaled_weights(weights, std::ldexp(1.0, exponent)));
    EXPECT_EQ(fit.mixture.means, expected.mixture.means) << exponent;
    EXPECT_EQ(fit.mixture.covariances, expected.mixture.covariances) << exponent;
  }
}

TEST(FitMixture, KeepsItsDigitsWithHugeWeightsAndHugeSamples) {
  const RowMatrix samples = 1e90 * sample(random_mixture({.seed = 8}), 300, 1).samples;
  const Weights weights = whole_weights(300, 3);
  const MixtureOptions options{.n_components = 2, .covariance_floor = 0.0};
  const MixtureFit expected = fit_mixture(samples, options, weights);
  const MixtureFit fit =
      fit_mixture(samples, options, scaled_weights(weights, std::ldexp(1.0, 900)));
  EXPECT_TRUE(all_finite(fit.mixture));
  EXPECT_EQ(fit.mixture.means, expected.mixture.means);
}

TEST(FitMixture, FitsASingleSampleOfPositiveWeight) {
  const RowMatrix samples{{1.0, 2.0}, {5.0, 5.0}, {7.0, 1.0}};
  const MixtureFit fit = fit_mixture(samples, {.n_components = 1}, Weights{0.0, 1e-300, 0.0});
  EXPECT_EQ(fit.mixture.means, RowMatrix(samples.row(1)));
  EXPECT_EQ(fit.mixture.covariances.front(), Matrix(1e-6 * Matrix::Identity(2, 2)));
}

TEST(MomentSums, RefuseSumsThatOverflow) {
  const Mixture mixture{CovarianceType::full,
                        Vector::Ones(1),
                        RowMatrix::Zero(1, 1),
                        {Matrix::Constant(1, 1, 1e200)}};
  const RowMatrix samples{{1e99}, {-1e99}};
  const Weights weights{1e120, 1e120};
  expect_error<InvalidArgument>(
      [&] { (void)moment_sums(mixture, samples, weights); },
      "moment_sums: the sums of weights and squared features overflow; scale the weights down");
  expect_error<InvalidArgument>([&] { (void)moment_sums(mixture, samples, Weights(2, 1e308)); },
                                "moment_sums: sample_weights sum to infinity; scale them down");
}

TEST(SelectComponents, OfWholeWeightsIsThatOfRepeatedRows) {
  const RowMatrix samples = sample(random_mixture({.seed = 8}), 300, 1).samples;
  const Weights weights = whole_weights(300, 2);
  const std::vector<int> one{1};  // needs no random start
  const SelectionResult weighted = select_components(samples, one, {}, weights);
  const SelectionResult expected = select_components(repeated_rows(samples, weights), one);
  EXPECT_NEAR(weighted.curve[0].aic, expected.curve[0].aic, 1e-8);
  EXPECT_NEAR(weighted.curve[0].bic, expected.curve[0].bic, 1e-8);
  EXPECT_NEAR(weighted.curve[0].mean_log_likelihood, expected.curve[0].mean_log_likelihood, 1e-11);
}

TEST(SelectComponents, FindsTheClustersOfWeightedSamplesAlone) {
  // four clusters, of which two have no weight
  const RowMatrix samples =
      sample(random_mixture({.n_components = 4, .spread = 30.0, .seed = 2}), 1200, 1).samples;
  const MixtureFit all = fit_mixture(samples, {.n_components = 4, .n_init = 3});
  const Labels cluster_of = labels(all.mixture, samples);
  Weights weights;
  for (const int label : cluster_of) weights.push_back(label < 2 ? 1.0 : 0.0);
  const RowMatrix positive = rows_at(samples, positive_positions(weights));
  const std::vector<int> numbers{1, 2, 3};
  for (const Criterion criterion : {Criterion::bic, Criterion::heldout}) {
    SelectionOptions options;
    options.criterion = criterion;
    options.mixture.n_init = 3;
    const SelectionResult result = select_components(samples, numbers, options, weights);
    const SelectionResult expected = select_components(positive, numbers, options);
    EXPECT_GE(result.n_components, 2);
    EXPECT_EQ(result.n_components, expected.n_components);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      EXPECT_NEAR(result.curve[i].bic, expected.curve[i].bic, 1e-6);
      if (criterion != Criterion::heldout) continue;
      EXPECT_NEAR(*result.curve[i].heldout_log_likelihood,
                  *expected.curve[i].heldout_log_likelihood, 1e-9);
    }
  }
}

TEST(SelectComponents, CountsWeightsOfSumOneByTheirEffectiveNumber) {
  const RowMatrix samples = sample(random_mixture({.seed = 8}), 200, 1).samples;
  const std::vector<int> one{1};
  const SelectionResult expected = select_components(samples, one);
  const SelectionResult result = select_components(samples, one, {}, Weights(200, 1.0 / 200.0));
  EXPECT_NEAR(result.curve[0].bic, expected.curve[0].bic, 1e-8);
}

}  // namespace
}  // namespace lbw
