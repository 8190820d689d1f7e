// SPDX-License-Identifier: MIT
// Singular covariances, extreme scales and conditions, corners of the simplex, invalid arguments.
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/gaussian.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <vector>

#include "gaussian/barycenter_of.hpp"
#include "support/expect_error.hpp"
#include "support/gaussian_oracles.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

// For singular covariances many S solve Eq. 6, some with too low a rank. The minimum of Eq. 5
// counts.
TEST(BarycenterEdges, OfSingularCovariancesMinimisesTheObjectiveToo) {
  Random random(8);
  const Weights weights = {0.5, 0.3, 0.2};
  std::vector<Gaussian> gaussians;
  for (const Index rank : {1, 2, 2}) {
    Vector eigenvalues = Vector::Zero(4);
    eigenvalues.head(rank).setConstant(1.0);
    gaussians.push_back({Vector::Zero(4), random_covariance(eigenvalues, random)});
  }
  const BarycenterResult result = barycenter_of(gaussians, weights, {.max_iterations = 5000});
  EXPECT_TRUE(result.converged);
  double least = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    least += weights[i] * squared_distance(result.barycenter, gaussians[i]);
  }
  for (int round = 0; round < 200; ++round) {
    const double size = std::pow(10.0, -1.0 - 2.0 * random.uniform());
    const Matrix factor = random_normal_matrix(4, 1, random);
    const Matrix stretch = Matrix::Identity(4, 4) + size * random_normal_matrix(4, 4, random);
    const Gaussian other{result.barycenter.mean,
                         stretch * result.barycenter.covariance * stretch.transpose() +
                             size * size * factor * factor.transpose()};
    double objective = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      objective += weights[i] * squared_distance(other, gaussians[i]);
    }
    EXPECT_GT(objective, least - 1e-12);
  }
}

TEST(BarycenterEdges, OfTwoLinesIsALine) {
  Random random(9);
  const Vector a = random_normal_vector(5, random);
  const Vector b = random_normal_vector(5, random);
  const Vector nearer = a.dot(b) < 0.0 ? Vector(-b) : b;
  const BarycenterResult result = barycenter_of(
      {{Vector::Zero(5), a * a.transpose()}, {Vector::Zero(5), b * b.transpose()}}, {0.25, 0.75});
  // along the coupling y = +-x of the two lines
  const Vector between = 0.25 * a + 0.75 * nearer;
  EXPECT_LT(relative_error(result.barycenter.covariance, between * between.transpose()), 1e-13);
  EXPECT_LT(result.residual, 1e-13);
}

TEST(BarycenterEdges, OfARegularAndASingularOneIsRegularAndOnTheGeodesic) {
  Random random(10);
  const Gaussian regular = random_gaussian(4, random);
  const Gaussian flat{Vector::Zero(4), random_covariance(Vector{{2.0, 1.0, 0.0, 0.0}}, random)};
  const BarycenterResult result = barycenter_of({flat, regular}, {0.6, 0.4});
  const Matrix expected = oracle::geodesic_covariance(regular.covariance, flat.covariance, 0.6);
  // rounding noise of 1e-16 in place of the zero eigenvalues has a root of 1e-8
  EXPECT_LT(relative_error(result.barycenter.covariance, expected), 1e-7);
}

TEST(BarycenterEdges, OfPointsIsAPoint) {
  const auto point = [](double x) -> Gaussian {
    return {Vector::Constant(2, x), Matrix::Zero(2, 2)};
  };
  const BarycenterResult result = barycenter_of({point(0), point(1), point(4)}, {0.5, 0.25, 0.25});
  EXPECT_EQ(result.barycenter.mean, Vector(Vector::Constant(2, 1.25)));
  EXPECT_EQ(result.barycenter.covariance, Matrix(Matrix::Zero(2, 2)));
  EXPECT_EQ(result.residual, 0.0);
  EXPECT_TRUE(result.converged);
}

// A point only pulls the mean and shrinks: S = (1 - w)^2 S_1.
TEST(BarycenterEdges, WithAPointShrinks) {
  Random random(11);
  const Gaussian gaussian = random_gaussian(3, random);
  const Gaussian point{Vector::Zero(3), Matrix::Zero(3, 3)};
  for (const Weights& weights : {Weights{0.5, 0.5, 0.0}, Weights{0.5, 0.25, 0.25}}) {
    const BarycenterResult result = barycenter_of({gaussian, point, point}, weights);
    EXPECT_LT(relative_error(result.barycenter.covariance, 0.25 * gaussian.covariance), 1e-12);
    EXPECT_TRUE(result.converged);
  }
}

TEST(BarycenterEdges, AtACornerIsThatGaussianBitForBit) {
  const std::vector<Gaussian> gaussians = random_gaussians(4, 3, 12);
  for (std::size_t corner = 0; corner < 3; ++corner) {
    Weights weights(3, 0.0);
    weights[corner] = 1.0;
    const BarycenterResult result = barycenter_of(gaussians, weights);
    EXPECT_EQ(result.barycenter.mean, gaussians[corner].mean);
    EXPECT_EQ(result.barycenter.covariance, gaussians[corner].covariance);
    EXPECT_EQ(result.iterations, 0);
    EXPECT_TRUE(result.converged);
  }
}

TEST(BarycenterEdges, LeavesOutWeightsOfZero) {
  const std::vector<Gaussian> gaussians = random_gaussians(4, 4, 13);
  const BarycenterResult with = barycenter_of(gaussians, {0.3, 0.0, 0.5, 0.2});
  const BarycenterResult without =
      barycenter_of({gaussians[0], gaussians[2], gaussians[3]}, {0.3, 0.5, 0.2});
  EXPECT_EQ(with.barycenter.covariance, without.barycenter.covariance);
  EXPECT_EQ(with.barycenter.mean, without.barycenter.mean);
}

TEST(BarycenterEdges, OfEqualCovariancesIsThatCovarianceBitForBit) {
  std::vector<Gaussian> gaussians = random_gaussians(4, 3, 14);
  for (Gaussian& gaussian : gaussians) gaussian.covariance = gaussians[0].covariance;
  const BarycenterResult result = barycenter_of(gaussians, {0.3, 0.3, 0.4});
  EXPECT_EQ(result.barycenter.covariance, gaussians[0].covariance);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.residual, 0.0);
  EXPECT_TRUE(result.converged);
}

TEST(BarycenterEdges, ScalesWithTheDataFromTinyToHuge) {
  const std::vector<Gaussian> gaussians = random_gaussians(3, 3, 17);
  for (const Weights& weights : {Weights{0.4, 0.6, 0.0}, Weights{0.2, 0.3, 0.5}}) {
    const BarycenterResult expected = barycenter_of(gaussians, weights);
    for (const double scale : {1e-150, 1e-100, 1e100, 1e150}) {
      std::vector<Gaussian> scaled = gaussians;
      for (Gaussian& gaussian : scaled) gaussian.covariance *= scale * scale;
      const BarycenterResult result = barycenter_of(scaled, weights);
      EXPECT_TRUE(result.converged);
      EXPECT_LT(relative_error(result.barycenter.covariance / scale / scale,
                               expected.barycenter.covariance),
                fixed_point_accuracy)
          << scale;
    }
  }
}

TEST(BarycenterEdges, HandlesCovariancesOfVeryDifferentSize) {
  std::vector<Gaussian> gaussians = random_gaussians(3, 3, 18);
  gaussians[1].covariance *= 1e-200;
  gaussians[2].covariance *= 1e200;
  const BarycenterResult result = barycenter_of(gaussians, {0.25, 0.25, 0.5});
  EXPECT_TRUE(result.converged);
  // compared with the largest, the others are points
  EXPECT_LT(relative_error(result.barycenter.covariance, 0.25 * gaussians[2].covariance), 1e-12);
}

TEST(BarycenterEdges, ConvergesAtAnyCondition) {
  Random random(19);
  for (const double condition : {1e4, 1e8, 1e12}) {
    std::vector<Gaussian> gaussians;
    for (int i = 0; i < 3; ++i) {
      gaussians.push_back(
          {Vector::Zero(5), random_covariance(graded_eigenvalues(5, condition), random)});
    }
    const BarycenterResult result =
        barycenter_of(gaussians, {0.3, 0.3, 0.4}, {.max_iterations = 5000});
    EXPECT_TRUE(result.converged);
    // the rounding of S itself moves the root of its smallest eigenvalue by epsilon *
    // sqrt(condition)
    EXPECT_LT(
        oracle::fixed_point_residual(result.barycenter.covariance, gaussians, {0.3, 0.3, 0.4}),
        1e-12 + 5 * epsilon * std::sqrt(condition));
    EXPECT_EQ(result.barycenter.covariance, Matrix(result.barycenter.covariance.transpose()));
  }
}

TEST(BarycenterEdges, DividesWeightsByTheirSum) {
  const std::vector<Gaussian> gaussians = random_gaussians(2, 3, 22);
  const Gaussian expected = barycenter_of(gaussians, {0.25, 0.5, 0.25}).barycenter;
  for (const std::vector<double>& weights :
       {std::vector{1.0, 2.0, 1.0}, {4e307, 8e307, 4e307}, {5e-324, 1e-323, 5e-324}}) {
    const Gaussian actual = barycenter_of(gaussians, weights).barycenter;
    EXPECT_EQ(actual.mean, expected.mean);
    EXPECT_EQ(actual.covariance, expected.covariance);
  }
}

TEST(NormalizedWeights, AreThoseOfTheBarycenter) {
  EXPECT_EQ(normalized_weights(std::vector{1e308, 1e308, 0.0}), (std::vector{0.5, 0.5, 0.0}));
  expect_error<InvalidArgument>(
      [] {
        (void)normalized_weights(std::vector{1.0, -1.0});
      },
      "normalized_weights: barycentric_weights[1] is -1, expected a number >= 0");
}

TEST(BarycenterEdges, RefusesInvalidWeights) {
  const std::vector<Gaussian> gaussians = random_gaussians(2, 2, 23);
  expect_error<InvalidArgument>(
      [&] {
        (void)barycenter_of(gaussians, {0.0, 0.0});
      },
      "barycenter: barycentric_weights are all 0, expected at least one above 0");
  expect_error<InvalidArgument>(
      [&] {
        (void)barycenter_of(gaussians, {1.5, -0.5});
      },
      "barycenter: barycentric_weights[1] is -0.5, expected a number >= 0");
  expect_error<InvalidArgument>([&] { (void)barycenter_of(gaussians, {1.0}); },
                                "barycenter: barycentric_weights has 1 entry, expected 2");
}

TEST(BarycenterEdges, RefusesBadGaussiansByPlaceEvenAtWeightZero) {
  std::vector<Gaussian> gaussians = random_gaussians(2, 2, 24);
  expect_error<InvalidArgument>([] { (void)barycenter_of({}, {}); },
                                "barycenter: gaussians is empty, expected one or more");
  gaussians[1].mean[0] = std::numeric_limits<double>::quiet_NaN();
  expect_error<InvalidArgument>(
      [&] {
        (void)barycenter_of(gaussians, {1.0, 0.0});
      },
      "barycenter: gaussians[1].mean[0] is nan, expected a finite number");
  gaussians[1] = {Vector::Zero(3), Matrix::Identity(3, 3)};
  expect_error<InvalidArgument>(
      [&] {
        (void)barycenter_of(gaussians, {0.5, 0.5});
      },
      "barycenter: gaussians[1] has 3 features and gaussians[0] 2, expected equal numbers");
}

TEST(BarycenterEdges, RefusesInvalidOptions) {
  const std::vector<Gaussian> gaussians = random_gaussians(2, 2, 25);
  expect_error<InvalidArgument>(
      [&] {
        (void)barycenter_of(gaussians, {0.5, 0.5}, {.tolerance = -1.0});
      },
      "barycenter: tolerance is -1, expected a finite number >= 0");
  expect_error<InvalidArgument>(
      [&] {
        (void)barycenter_of(gaussians, {0.5, 0.5}, {.max_iterations = 0});
      },
      "barycenter: max_iterations is 0, expected at least 1");
}

}  // namespace
}  // namespace lbw
