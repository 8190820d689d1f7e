// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/types.hpp>
#include <numbers>

#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

TEST(LogDensity, OfOneStandardNormalIsItsFormula) {
  const Mixture mixture{
      CovarianceType::full, Vector::Ones(1), RowMatrix::Zero(1, 2), {Matrix::Identity(2, 2)}};
  const RowMatrix samples{{0.0, 0.0}, {3.0, 4.0}};
  const Vector densities = log_density(mixture, samples);
  EXPECT_NEAR(densities[0], -std::log(2.0 * std::numbers::pi), 1e-15);
  EXPECT_NEAR(densities[1], -std::log(2.0 * std::numbers::pi) - 12.5, 1e-14);
}

TEST(LogDensity, FollowsTheDefinitionForFloatSamplesToo) {
  const Mixture mixture =
      random_mixture({.n_components = 5, .n_features = 4, .spread = 1.0, .seed = 9});
  const RowMatrixF floats = sample(mixture, 700, 3).samples.cast<float>();
  const RowMatrix doubles = floats.cast<double>();
  EXPECT_EQ(log_density(mixture, floats), log_density(mixture, doubles));
  const oracle::LongVector expected = oracle::log_densities(mixture, doubles);
  EXPECT_LT((log_density(mixture, doubles).cast<long double>() - expected).cwiseAbs().maxCoeff(),
            1e-12L);
  EXPECT_NEAR(mean_log_likelihood(mixture, doubles), static_cast<double>(expected.mean()), 1e-12);
}

// The mean is computed in batches. With 3000 features a batch has 1024 rows, the minimum.
TEST(MeanLogLikelihood, IsTheMeanOfAllLogDensities) {
  const Mixture mixture{
      CovarianceType::spherical, Vector::Ones(1), RowMatrix::Zero(1, 3000), {Matrix::Ones(1, 1)}};
  Random random(3);
  RowMatrix samples(2500, 3000);
  for (Index i = 0; i < samples.size(); ++i) samples.data()[i] = random.normal();
  double sum = 0.0;
  for (const double value : log_density(mixture, samples)) sum += value;
  EXPECT_EQ(mean_log_likelihood(mixture, samples), sum / 2500.0);
}

TEST(Criteria, FollowTheirFormulas) {
  const Mixture mixture = random_mixture({.seed = 4});
  const RowMatrix samples = sample(mixture, 400, 1).samples;
  const double likelihood = 400.0 * mean_log_likelihood(mixture, samples);
  EXPECT_NEAR(aic(mixture, samples), 2.0 * 17.0 - 2.0 * likelihood, 1e-9);
  EXPECT_NEAR(bic(mixture, samples), 17.0 * std::log(400.0) - 2.0 * likelihood, 1e-9);
}

TEST(Labels, OfEqualComponentsAreTheLowest) {
  const Mixture mixture{CovarianceType::tied,
                        Vector::Constant(3, 1.0 / 3),
                        RowMatrix::Zero(3, 1),
                        {Matrix::Identity(1, 1)}};
  EXPECT_EQ(labels(mixture, RowMatrix(RowMatrix::Ones(4, 1))), Labels::Zero(4));
}

TEST(Responsibilities, AreZeroForAComponentWithoutWeight) {
  Mixture mixture = random_mixture({.seed = 4});
  mixture.weights << 0.0, 0.5, 0.5;
  const RowMatrix result = responsibilities(mixture, sample(mixture, 100, 1).samples);
  EXPECT_EQ(result.col(0).maxCoeff(), 0.0);
  EXPECT_LT((result.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-15 * 3);
}

TEST(Responsibilities, OfASampleWhoseDistanceOverflowsAreZeros) {
  const Mixture mixture{CovarianceType::spherical,
                        Vector::Constant(2, 0.5),
                        RowMatrix::Zero(2, 1),
                        {Matrix::Constant(1, 1, 1e-300), Matrix::Constant(1, 1, 1e-300)}};
  EXPECT_EQ(responsibilities(mixture, RowMatrix(RowMatrix::Constant(1, 1, 1e100))),
            RowMatrix(RowMatrix::Zero(1, 2)));
}

TEST(Densities, RefuseSamplesOfAnotherWidthAndNegativeThreads) {
  const Mixture mixture = random_mixture({.n_features = 2});
  expect_error<InvalidArgument>(
      [&] { (void)log_density(mixture, RowMatrix(RowMatrix::Zero(5, 3))); },
      "log_density: samples have 3 features, the mixture has 2");
  expect_error<InvalidArgument>(
      [&] { (void)mean_log_likelihood(mixture, RowMatrix(RowMatrix::Zero(5, 3))); },
      "mean_log_likelihood: samples have 3 features, the mixture has 2");
  expect_error<InvalidArgument>([&] { (void)labels(mixture, RowMatrix(RowMatrix::Zero(0, 2))); },
                                "labels: samples has no rows");
  expect_error<InvalidArgument>(
      [&] { (void)responsibilities(mixture, RowMatrix(RowMatrix::Zero(1, 2)), {-1}); },
      "responsibilities: n_threads is -1, expected 0 (one per core) or more");
}

}  // namespace
}  // namespace lbw
