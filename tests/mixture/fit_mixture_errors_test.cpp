// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <functional>
#include <lbw/types.hpp>
#include <limits>
#include <regex>
#include <string>

#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Arguments {
  RowMatrix samples = RowMatrix{{0.0, 1.0}, {1.0, 3.0}, {2.0, 0.0}, {4.0, 4.0}};
  MixtureOptions options = {};
  std::vector<double> weights = {};
};

struct BadInput {
  std::function<void(Arguments&)> spoil;
  const char* expected;
};

TEST(FitMixture, NamesEveryBadArgument) {
  const BadInput rows[] = {
      {[](Arguments& a) { a.samples.resize(0, 2); }, "fit_mixture: samples has no rows"},
      {[](Arguments& a) { a.samples.resize(3, 0); }, "fit_mixture: samples has no features"},
      {[](Arguments& a) { a.samples(2, 1) = nan_value; },
       "fit_mixture: samples contains nan at row 2, column 1 (counted from 0), expected finite "
       "values"},
      {[](Arguments& a) { a.samples(0, 0) = -infinity; },
       "fit_mixture: samples contains -inf at row 0, column 0 (counted from 0), expected finite "
       "values"},
      {[](Arguments& a) { a.samples(1, 0) = 1e200; },
       "fit_mixture: samples contains 1e+200 at row 1, column 0 (counted from 0), expected finite "
       "values up to 1e+100; rescale that feature"},
      {[](Arguments& a) { a.options.n_components = 0; },
       "fit_mixture: n_components is 0, expected a whole number >= 1"},
      {[](Arguments& a) { a.options.n_components = 5; },
       "fit_mixture: n_components = 5 exceeds the number of samples (4). Reduce n_components or "
       "provide more samples"},
      {[](Arguments& a) {
         a.options.n_components = 4;
         a.weights = {1.0, 0.0, 1.0, 1.0};
       },
       "fit_mixture: n_components = 4 exceeds the number of samples (3 of positive weight). Reduce "
       "n_components or provide more samples"},
      {[](Arguments& a) { a.options.covariance_floor = -1e-6; },
       "fit_mixture: covariance_floor is -1e-06, expected a number >= 0"},
      {[](Arguments& a) { a.options.covariance_floor = infinity; },
       "fit_mixture: covariance_floor is inf, expected a number >= 0"},
      {[](Arguments& a) { a.options.tolerance = nan_value; },
       "fit_mixture: tolerance is nan, expected a number >= 0"},
      {[](Arguments& a) { a.options.max_iterations = -1; },
       "fit_mixture: max_iterations is -1, expected a whole number >= 0"},
      {[](Arguments& a) { a.options.start_samples = 0; },
       "fit_mixture: start_samples is 0, expected auto, all or a whole number >= 1"},
      {[](Arguments& a) { a.options.n_init = 0; },
       "fit_mixture: n_init is 0, expected a whole number >= 1"},
      {[](Arguments& a) { a.options.execution.n_threads = -2; },
       "fit_mixture: n_threads is -2, expected 0 (one per core) or more"},
      {[](Arguments& a) {
         a.weights = {1.0, 2.0};
       },
       "fit_mixture: sample_weights has 2 entries for 4 samples, expected one per sample"},
      {[](Arguments& a) {
         a.weights = {1.0, -2.0, 1.0, 1.0};
       },
       "fit_mixture: sample_weights[1] is -2, expected a finite number >= 0"},
      {[](Arguments& a) {
         a.weights = {1.0, 1.0, 1.0, nan_value};
       },
       "fit_mixture: sample_weights[3] is nan, expected a finite number >= 0"},
      {[](Arguments& a) {
         a.weights = {0.0, 0.0, 0.0, 0.0};
       },
       "fit_mixture: sample_weights are all 0, expected at least one above 0"},
      {[](Arguments& a) { a.options.initial = random_mixture({.n_components = 2}); },
       "fit_mixture: initial has 2 components, n_components is 1"},
      {[](Arguments& a) {
         a.options.initial = random_mixture({.n_components = 1, .n_features = 3});
       },
       "fit_mixture: initial has 3 features, the samples have 2"},
      {[](Arguments& a) {
         a.options.initial =
             random_mixture({.n_components = 1, .covariance_type = CovarianceType::tied});
       },
       "fit_mixture: initial is tied, covariance_type is full"},
      {[](Arguments& a) { a.options.initial = Mixture(); },
       "fit_mixture: initial.means is empty, expected one row per component"},
  };
  for (const BadInput& row : rows) {
    Arguments arguments;
    row.spoil(arguments);
    expect_error<InvalidArgument>(
        [&] { (void)fit_mixture(arguments.samples, arguments.options, arguments.weights); },
        row.expected);
  }
}

TEST(FitMixture, SaysThatSingularDataNeedAFloor) {
  MixtureOptions options;
  options.covariance_floor = 0.0;
  const RowMatrix on_a_line{{0.0, 0.0}, {1.0, 2.0}, {2.0, 4.0}, {3.0, 6.0}};
  expect_error<NumericalError>(
      [&] { (void)fit_mixture(on_a_line, options); },
      "fit_mixture: the samples do not span their 2 features in double precision: their covariance "
      "plus the covariance_floor of 0 is singular; drop constant or repeated features, fit "
      "clusters that are more than 1e7 standard deviations apart as separate groups, or increase "
      "covariance_floor to 5e-12");
  const RowMatrix constant = RowMatrix::Ones(4, 2);
  expect_error<NumericalError>(
      [&] { (void)fit_mixture(constant, options); },
      "fit_mixture: the samples do not span their 2 features in double precision: their covariance "
      "plus the covariance_floor of 0 is singular; drop constant or repeated features, fit "
      "clusters that are more than 1e7 standard deviations apart as separate groups, or increase "
      "covariance_floor");
  options.covariance_type = CovarianceType::diagonal;  // variances exist on a line
  EXPECT_NO_THROW((void)fit_mixture(on_a_line, options));
}

// d samples span d - 1 dimensions about their mean. A factorization of their rounded covariance
// succeeds now and then.
TEST(FitMixture, RefusesAsManySamplesAsFeaturesWithoutAFloor) {
  MixtureOptions options;
  options.covariance_floor = 0.0;
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const RowMatrix samples = random_normal_matrix(8, 8, random);
    EXPECT_THROW((void)fit_mixture(samples, options), NumericalError) << trial;
  }
  const RowMatrix samples = random_normal_matrix(8, 8, random);
  MixtureOptions floored = options;
  floored.relative_covariance_floor = 0.1;
  EXPECT_NO_THROW((void)fit_mixture(samples, floored));
  MixtureOptions shrunk = options;
  shrunk.shrinkage = {.amount = 0.1};
  EXPECT_NO_THROW((void)fit_mixture(samples, shrunk));
  EXPECT_NO_THROW((void)fit_mixture(RowMatrix(random_normal_matrix(9, 8, random)), options));
}

TEST(MomentSumsOfSamples, NamesEveryBadArgument) {
  const Mixture mixture = random_mixture({});
  expect_error<InvalidArgument>(
      [&] { (void)moment_sums(mixture, RowMatrix(RowMatrix::Zero(4, 1))); },
      "moment_sums: samples have 1 feature, the mixture has 2");
  const std::vector<double> weights{1.0};
  expect_error<InvalidArgument>(
      [&] { (void)moment_sums(mixture, RowMatrix(RowMatrix::Zero(4, 2)), weights); },
      "moment_sums: sample_weights has 1 entry for 4 samples, expected one per sample");
}

/// Three points, each repeated five times.
RowMatrix three_points() {
  RowMatrix samples(15, 2);
  for (Index i = 0; i < 15; ++i) samples.row(i) << double(i % 3), double(i % 3 * (i % 3));
  return samples;
}

TEST(FitMixture, CopiesComponentsWhereThereAreFewerDistinctSamples) {
  for (const auto type : {CovarianceType::full, CovarianceType::tied, CovarianceType::diagonal,
                          CovarianceType::spherical}) {
    MixtureOptions options;
    options.covariance_type = type;
    options.n_components = 3;
    const MixtureFit three = fit_mixture(three_points(), options);
    EXPECT_EQ(three.copied_components, 0);
    options.n_components = 8;
    const MixtureFit eight = fit_mixture(three_points(), options);
    EXPECT_EQ(eight.copied_components, 5);
    EXPECT_EQ(eight.mixture.n_components(), 8);
    EXPECT_NEAR(eight.mixture.weights.sum(), 1.0, 1e-15);
    for (Index i = 0; i < 8; ++i) {
      EXPECT_EQ(eight.mixture.means.row(i), three.mixture.means.row(i % 3));
      EXPECT_EQ(eight.mixture.component(i).covariance, three.mixture.component(i % 3).covariance);
    }
    const Vector density = log_density(eight.mixture, three_points());
    EXPECT_LT((density - log_density(three.mixture, three_points())).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(eight.mean_log_likelihood, three.mean_log_likelihood);
  }
}

TEST(FitMixture, CopiesNeedAFloor) {
  MixtureOptions options;
  options.n_components = 8;
  options.covariance_floor = 0.0;
  expect_error<NumericalError>(
      [&] { (void)fit_mixture(three_points(), options); },
      "fit_mixture: samples has 3 distinct points, fewer than n_components = 8, and their "
      "covariances are singular without a floor; increase covariance_floor or reduce n_components");
}

TEST(FitMixture, ChecksTheValuesOfASingleComponentInItsOnlyPass) {
  for (const auto type : {CovarianceType::full, CovarianceType::tied, CovarianceType::diagonal,
                          CovarianceType::spherical}) {
    for (const Index n_features : {1, 2, 10, 40}) {
      MixtureOptions options;
      options.covariance_type = type;
      RowMatrix samples = RowMatrix::Random(2000, n_features);
      for (const Index row : {0, 700, 1999}) {
        for (const double bad : {nan_value, infinity, -infinity, 2e100, -1e200}) {
          const double kept = samples(row, n_features - 1);
          samples(row, n_features - 1) = bad;
          const std::string place = "samples contains .* at row " + std::to_string(row) +
                                    ", column " + std::to_string(n_features - 1) + " ";
          try {
            (void)fit_mixture(samples, options);
            ADD_FAILURE() << bad << " in row " << row << " is no error";
          } catch (const InvalidArgument& error) {
            EXPECT_TRUE(std::regex_search(error.what(), std::regex(place))) << error.what();
          }
          samples(row, n_features - 1) = kept;
        }
      }
      samples *= 1e99;  // allowed, although the sums alone do not show it
      EXPECT_NEAR(fit_mixture(samples, options).mixture.means(0, 0) / samples.col(0).mean(), 1.0,
                  1e-10);
    }
  }
}

}  // namespace
}  // namespace lbw
