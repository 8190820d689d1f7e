// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/gaussian.hpp>
#include <limits>
#include <vector>

#include "gaussian/barycenter_of.hpp"
#include "support/gaussian_oracles.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

TEST(Barycenter, OfTwoIsThePointOnTheGeodesic) {
  for (const Index d : {1, 2, 5, 20}) {
    for (const GaussianPair& pair :
         random_gaussian_pairs({.dimension = d, .count = 5, .seed = 1})) {
      for (const double t : {0.01, 0.3, 0.5, 0.99}) {
        const BarycenterResult result = barycenter_of({pair.source, pair.target}, {1.0 - t, t});
        const Matrix expected =
            oracle::geodesic_covariance(pair.source.covariance, pair.target.covariance, t);
        EXPECT_LT(relative_error(result.barycenter.covariance, expected), 1e-13);
        EXPECT_LT(relative_error(result.barycenter.mean,
                                 (1.0 - t) * pair.source.mean + t * pair.target.mean),
                  4 * epsilon);
        EXPECT_EQ(result.iterations, 0);
        EXPECT_TRUE(result.converged);
        EXPECT_LT(result.residual, 1e-13);
      }
    }
  }
}

TEST(Barycenter, OfTwoIsTheSameFromBothEnds) {
  for (const GaussianPair& pair : random_gaussian_pairs({.dimension = 5, .count = 10, .seed = 2})) {
    const Gaussian there = barycenter_of({pair.source, pair.target}, {0.3, 0.7}).barycenter;
    const Gaussian back = barycenter_of({pair.target, pair.source}, {0.7, 0.3}).barycenter;
    EXPECT_LT(relative_error(there.covariance, back.covariance), 1e-14);
  }
}

// With one Gaussian given twice, the closed form of two and the fixed point have the same result.
TEST(Barycenter, FixedPointAgreesWithTheClosedFormOfTwo) {
  for (const Index d : {2, 5, 12}) {
    for (const GaussianPair& pair :
         random_gaussian_pairs({.dimension = d, .count = 5, .seed = 3})) {
      const BarycenterOptions exact{.tolerance = 1e-14, .max_iterations = 1000};
      const BarycenterResult three =
          barycenter_of({pair.source, pair.target, pair.source}, {0.1, 0.6, 0.3}, exact);
      EXPECT_GT(three.iterations, 0);
      const BarycenterResult two = barycenter_of({pair.source, pair.target}, {0.4, 0.6});
      EXPECT_LT(relative_error(three.barycenter.covariance, two.barycenter.covariance), 1e-12);
    }
  }
}

TEST(Barycenter, OfOneFeatureAveragesStandardDeviations) {
  const auto gaussian = [](double mean, double deviation) -> Gaussian {
    return {Vector::Constant(1, mean), Matrix::Constant(1, 1, deviation * deviation)};
  };
  const BarycenterResult result = barycenter_of(
      {gaussian(0.0, 1.0), gaussian(2.0, 3.0), gaussian(-1.0, 0.0)}, {0.25, 0.5, 0.25});
  EXPECT_NEAR(result.barycenter.covariance(0, 0), 1.75 * 1.75, 10 * epsilon);
  EXPECT_EQ(result.barycenter.mean[0], 0.75);
  EXPECT_LE(result.iterations, 1);
  EXPECT_TRUE(result.converged);
}

TEST(Barycenter, OfDiagonalCovariancesWorksFeatureByFeatureInAnyUnits) {
  const auto gaussian = [](double a, double b, double c) -> Gaussian {
    return {Vector::Zero(3), Vector{{a * a, b * b, c * c}}.asDiagonal()};
  };
  const BarycenterResult result = barycenter_of(
      {gaussian(1.0, 1e-20, 0.0), gaussian(2.0, 2e-20, 0.0), gaussian(4.0, 4e-20, 8e10)},
      {0.5, 0.25, 0.25});
  const Vector deviations{{2.0, 2e-20, 2e10}};
  EXPECT_TRUE(Matrix(result.barycenter.covariance).isDiagonal(0.0));
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(std::sqrt(result.barycenter.covariance(i, i)) / deviations[i], 1.0, 10 * epsilon);
  }
}

TEST(Barycenter, SolvesEquationSixAndReportsTheResidualOfItsStep) {
  for (const Index d : {2, 4, 10}) {
    const std::vector<Gaussian> gaussians = random_gaussians(d, 5, 4);
    const Weights weights = {0.1, 0.2, 0.3, 0.15, 0.25};
    // after few steps the residual is large enough to compare
    for (const int steps : {1, 2, 4}) {
      const BarycenterResult result =
          barycenter_of(gaussians, weights, {.tolerance = 0.0, .max_iterations = steps});
      const double expected =
          oracle::step_residual(result.barycenter.covariance, gaussians, weights);
      EXPECT_NEAR(result.residual / expected, 1.0, 1e-6 + 1e-14 / expected);
    }
    const BarycenterResult result = barycenter_of(gaussians, weights);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.residual, 1e-12);
    EXPECT_LT(oracle::fixed_point_residual(result.barycenter.covariance, gaussians, weights),
              1.1e-12);
  }
}

// Features of any units, correlated at random.
TEST(Barycenter, ConvergesInEveryFeatureWhateverItsUnit) {
  Random random(27);
  for (const Vector& units :
       {Vector{{2e6, 10.0, 0.01}}, Vector{{1.0, 1e-4, 1e-4, 1e3}}, Vector{{1.0, 1e-8, 1e8}}}) {
    std::vector<Gaussian> gaussians = random_gaussians(units.size(), 3, 28);
    for (Gaussian& gaussian : gaussians) {
      gaussian.covariance = units.asDiagonal() * gaussian.covariance * units.asDiagonal();
    }
    const Weights weights = {0.2, 0.3, 0.5};
    const BarycenterResult result = barycenter_of(gaussians, weights);
    EXPECT_TRUE(result.converged);
    Matrix average = Matrix::Zero(units.size(), units.size());
    for (std::size_t i = 0; i < 3; ++i) {
      average += weights[i] * map_matrix(result.barycenter.covariance, gaussians[i].covariance);
    }
    // displacement of feature f by the map at the barycenter, per standard deviation of feature g
    const Matrix off = units.cwiseInverse().asDiagonal() *
                       (average - Matrix::Identity(units.size(), units.size())) *
                       units.asDiagonal();
    EXPECT_LT(off.cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(Barycenter, StopsRelativeToEachFeature) {
  for (const double s : {1e-4, 1e-8, 1e-16}) {
    std::vector<Gaussian> gaussians;
    for (const double factor : {1.0, 4.0, 9.0}) {
      Matrix covariance = Vector{{1.0, factor * s, factor * s}}.asDiagonal();
      gaussians.push_back({Vector::Zero(3), covariance});
    }
    const Weights weights = {1.0, 1.0, 1.0};
    const BarycenterResult result = barycenter_of(gaussians, weights, {.tolerance = 1e-7});
    EXPECT_TRUE(result.converged);
    EXPECT_NEAR(result.barycenter.covariance(0, 0), 1.0, 1e-12);
    EXPECT_NEAR(result.barycenter.covariance(1, 1) / s, 4.0, 1e-12);
    EXPECT_NEAR(result.barycenter.covariance(2, 2) / s, 4.0, 1e-12);
  }
}

// Algorithm 1 as printed, except deviation P1: S <- T S T, T = sum_i w_i T(S -> S_i).
TEST(Barycenter, TakesTheStepsOfAlgorithmOne) {
  const std::vector<Gaussian> gaussians = random_gaussians(4, 3, 5);
  const Weights weights = {0.2, 0.5, 0.3};
  Matrix current = Matrix::Zero(4, 4);
  for (std::size_t i = 0; i < 3; ++i) current += weights[i] * gaussians[i].covariance;
  for (int steps = 1; steps <= 5; ++steps) {
    Matrix map = Matrix::Zero(4, 4);
    for (std::size_t i = 0; i < 3; ++i) {
      map += weights[i] * oracle::map_matrix(current, gaussians[i].covariance);
    }
    current = map * current * map;
    const BarycenterResult result =
        barycenter_of(gaussians, weights, {.tolerance = 0.0, .max_iterations = steps});
    EXPECT_EQ(result.iterations, steps);
    EXPECT_LT(relative_error(result.barycenter.covariance, current), 1e-13);
  }
}

TEST(Barycenter, MinimisesTheObjectiveOfEquationFive) {
  Random random(6);
  const std::vector<Gaussian> gaussians = random_gaussians(3, 4, 7);
  const Weights weights = {0.4, 0.3, 0.2, 0.1};
  const Gaussian best = barycenter_of(gaussians, weights).barycenter;
  const double least = oracle::barycenter_objective(best, gaussians, weights);
  for (int round = 0; round < 50; ++round) {
    const double size = std::pow(10.0, -1.0 - 3.0 * random.uniform());
    const Matrix direction = random_normal_matrix(3, 3, random);
    const Matrix stretch = Matrix::Identity(3, 3) + size * (direction + direction.transpose());
    const Gaussian other{best.mean + size * random_normal_vector(3, random),
                         stretch * best.covariance * stretch};
    // a minimum: the rise is of second order, size^2 >= 1e-8, far above the rounding of the sum
    EXPECT_GT(oracle::barycenter_objective(other, gaussians, weights), least);
  }
}

TEST(Barycenter, CommutesWithRotationShiftScaleAndRelabelling) {
  Random random(15);
  const std::vector<Gaussian> gaussians = random_gaussians(4, 3, 16);
  const Gaussian expected = barycenter_of(gaussians, {0.2, 0.3, 0.5}).barycenter;
  const Matrix move = 3.0 * random_rotation(4, random);
  const Vector shift = random_normal_vector(4, random);
  const auto moved = [&](const Gaussian& gaussian) -> Gaussian {
    return {move * gaussian.mean + shift, move * gaussian.covariance * move.transpose()};
  };
  const Gaussian result =
      barycenter_of({moved(gaussians[2]), moved(gaussians[0]), moved(gaussians[1])},
                    {0.5, 0.2, 0.3})
          .barycenter;
  EXPECT_LT(relative_error(result.covariance, moved(expected).covariance), fixed_point_accuracy);
  EXPECT_LT(relative_error(result.mean, moved(expected).mean), 1e-14);
}

TEST(Barycenter, ReportsThatItRanOutOfIterations) {
  const std::vector<Gaussian> gaussians = random_gaussians(4, 3, 20);
  const Weights weights = {0.2, 0.3, 0.5};
  const BarycenterResult result =
      barycenter_of(gaussians, weights, {.tolerance = 1e-12, .max_iterations = 2});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 2);
  EXPECT_GT(result.residual, 1e-12);
  EXPECT_LT(barycenter_of(gaussians, weights).iterations, 200);
}

// A step that changes the features by exactly the tolerance is not too large.
TEST(Barycenter, StopsWhereTheResidualIsExactlyTheTolerance) {
  const std::vector<Gaussian> gaussians = random_gaussians(4, 3, 20);
  const Weights weights = {0.2, 0.3, 0.5};
  const BarycenterResult early =
      barycenter_of(gaussians, weights, {.tolerance = 0.0, .max_iterations = 2});
  ASSERT_EQ(early.iterations, 2);
  const BarycenterResult result = barycenter_of(gaussians, weights, {.tolerance = early.residual});
  EXPECT_EQ(result.iterations, 2);
  EXPECT_EQ(result.residual, early.residual);
  EXPECT_TRUE(result.converged);
}

TEST(Barycenter, RepeatsToTheLastBit) {
  const std::vector<Gaussian> gaussians = random_gaussians(7, 4, 21);
  const Weights weights = {0.1, 0.2, 0.3, 0.4};
  EXPECT_EQ(barycenter_of(gaussians, weights).barycenter.covariance,
            barycenter_of(std::vector<Gaussian>(gaussians), weights).barycenter.covariance);
}

}  // namespace
}  // namespace lbw
