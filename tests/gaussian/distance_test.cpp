// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/gaussian.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <vector>

#include "support/epsilon.hpp"
#include "support/expect_error.hpp"
#include "support/gaussian_oracles.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

TEST(SquaredDistance, IsEquationTwo) {
  for (const Index d : {1, 2, 3, 8, 20}) {
    for (const GaussianPair& pair :
         random_gaussian_pairs({.dimension = d, .count = 10, .seed = 1})) {
      const double expected = oracle::squared_distance(pair.source, pair.target);
      // some ten roundings per dimension
      EXPECT_NEAR(squared_distance(pair.source, pair.target) / expected, 1.0,
                  10 * static_cast<double>(d) * epsilon);
    }
  }
}

// A covariance has an error of epsilon times its largest eigenvalue, which changes the root of its
// smallest one by epsilon * sqrt(condition).
TEST(SquaredDistance, IsEquationTwoAtAnyCondition) {
  Random random(2);
  for (const double condition : {1e3, 1e6, 1e9, 1e12}) {
    const Gaussian first{Vector::Zero(6),
                         random_covariance(graded_eigenvalues(6, condition), random)};
    const Gaussian second{Vector::Zero(6),
                          random_covariance(graded_eigenvalues(6, condition), random)};
    EXPECT_NEAR(squared_distance(first, second), oracle::squared_distance(first, second),
                5 * epsilon * std::sqrt(condition) *
                    (first.covariance.trace() + second.covariance.trace()));
  }
}

TEST(SquaredDistance, OfDiagonalCovariancesIsThatOfTheStandardDeviations) {
  const Gaussian first{Vector{{1.0, 2.0, 3.0}}, Vector{{4.0, 1e-20, 0.0}}.asDiagonal()};
  const Gaussian second{Vector{{1.0, 5.0, 3.0}}, Vector{{9.0, 4e-20, 16.0}}.asDiagonal()};
  EXPECT_NEAR(squared_distance(first, second), 9.0 + 1.0 + 1e-20 + 16.0, 26 * 4 * epsilon);
  const Gaussian tiny{second.mean, Vector{{9.0, 1e-20, 16.0}}.asDiagonal()};
  EXPECT_NEAR(squared_distance(second, tiny) / 1e-20, 1.0, 10 * epsilon);
}

TEST(SquaredDistance, IsExactlyZeroOnItself) {
  Random random(3);
  const Gaussian regular{random_normal_vector(6, random),
                         random_covariance(graded_eigenvalues(6, 1e12), random)};
  EXPECT_EQ(squared_distance(regular, regular), 0.0);
  EXPECT_EQ(distance(regular, regular), 0.0);
}

// Eq. 2 as printed loses all digits here: it subtracts traces that agree to 1e-16.
TEST(SquaredDistance, SeesDifferencesFarBelowTheRoundingOfTheTraces) {
  const Matrix covariance = Matrix::Constant(1, 1, 1.0);
  const Matrix next = Matrix::Constant(1, 1, 1.0 + 2e-10);
  const double expected = std::pow(std::sqrt(1.0 + 2e-10) - 1.0, 2);  // about 1e-20
  EXPECT_NEAR(squared_distance({Vector::Zero(1), covariance}, {Vector::Zero(1), next}) / expected,
              1.0, 1e-5);
}

TEST(SquaredDistance, IsNeverNegativeForNearlyEqualGaussians) {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    const Matrix first = random_covariance(graded_eigenvalues(5, 1e8), random);
    const Matrix second = first * (1.0 + epsilon);
    const double result = squared_distance({Vector::Zero(5), first}, {Vector::Zero(5), second});
    EXPECT_GE(result, 0.0);
    // as above: the root of the smallest eigenvalue has an error of epsilon * sqrt(condition)
    EXPECT_LT(result, std::pow(5 * epsilon * 1e4, 2));
  }
}

TEST(Distance, IsSymmetric) {
  for (const GaussianPair& pair : random_gaussian_pairs({.dimension = 5, .count = 20, .seed = 5})) {
    EXPECT_NEAR(distance(pair.source, pair.target) / distance(pair.target, pair.source), 1.0,
                50 * epsilon);
  }
}

TEST(Distance, ObeysTheTriangleInequality) {
  const std::vector<Gaussian> gaussians = random_gaussians(3, 12, 6);
  for (const Gaussian& a : gaussians) {
    for (const Gaussian& b : gaussians) {
      for (const Gaussian& c : gaussians) {
        EXPECT_LE(distance(a, c), distance(a, b) + distance(b, c) + 1e-14);
      }
    }
  }
}

TEST(Distance, IsTheRootOfTheSquaredDistance) {
  for (const GaussianPair& pair : random_gaussian_pairs({.dimension = 4, .count = 10, .seed = 7})) {
    EXPECT_NEAR(std::pow(distance(pair.source, pair.target), 2) /
                    squared_distance(pair.source, pair.target),
                1.0, 10 * epsilon);
  }
}

TEST(Distance, IsInvariantUnderRotationAndShift) {
  Random random(8);
  for (const GaussianPair& pair : random_gaussian_pairs({.dimension = 4, .count = 10, .seed = 9})) {
    const Matrix rotation = random_rotation(4, random);
    const Vector shift = random_normal_vector(4, random);
    const auto moved = [&](const Gaussian& gaussian) -> Gaussian {
      return {rotation * gaussian.mean + shift,
              rotation * gaussian.covariance * rotation.transpose()};
    };
    EXPECT_NEAR(
        distance(moved(pair.source), moved(pair.target)) / distance(pair.source, pair.target), 1.0,
        1e-13);
  }
}

TEST(Distance, ScalesWithTheDataFromTinyToHuge) {
  const GaussianPair pair = random_gaussian_pairs({.dimension = 4, .count = 1, .seed = 10})[0];
  const double expected = distance(pair.source, pair.target);
  for (const double scale : {1e-150, 1e-100, 1e-3, 1e100, 1e150}) {
    const auto scaled = [&](const Gaussian& gaussian) -> Gaussian {
      return {scale * gaussian.mean, scale * scale * gaussian.covariance};
    };
    EXPECT_NEAR(distance(scaled(pair.source), scaled(pair.target)) / scale / expected, 1.0, 1e-13)
        << scale;
  }
}

TEST(Distance, DoesNotOverflowBeforeItsResultDoes) {
  const Gaussian first{Vector::Constant(2, 1e250), Matrix::Zero(2, 2)};
  const Gaussian second{Vector::Zero(2), Matrix::Identity(2, 2)};
  EXPECT_NEAR(distance(first, second) / (std::sqrt(2.0) * 1e250), 1.0, 4 * epsilon);
  // the trace, 4e308, exceeds the largest double, and 4e-320 has lost its digits; their roots are
  // fine
  for (const double variance : {1e308, 1e-320}) {
    const Gaussian wide{Vector::Zero(4), Matrix::Constant(1, 1, variance).replicate(4, 4)};
    const Gaussian point{Vector::Zero(4), Matrix::Zero(4, 4)};
    EXPECT_NEAR(distance(wide, point) / (2.0 * std::sqrt(variance)), 1.0, 20 * epsilon) << variance;
  }
}

// Points have no spread, so the distance to a Gaussian is its mean square distance to the point.
TEST(SquaredDistance, FromAPointIsTheTraceOfTheOther) {
  Random random(11);
  const Gaussian gaussian = random_gaussian(4, random);
  const Gaussian point{gaussian.mean, Matrix::Zero(4, 4)};
  EXPECT_NEAR(squared_distance(point, gaussian), gaussian.covariance.trace(), 1e-13);
  EXPECT_NEAR(squared_distance(gaussian, point), gaussian.covariance.trace(), 1e-13);
}

TEST(SquaredDistance, OfLinesIsThatOfTheirDirections) {
  Random random(12);
  for (int round = 0; round < 20; ++round) {
    const Vector a = random_normal_vector(5, random);
    const Vector b = random_normal_vector(5, random);
    // rank one: the nuclear norm of A^T B is |a . b|
    const double expected = a.squaredNorm() + b.squaredNorm() - 2.0 * std::abs(a.dot(b));
    EXPECT_NEAR(squared_distance({Vector::Zero(5), a * a.transpose()},
                                 {Vector::Zero(5), b * b.transpose()}) /
                    expected,
                1.0, 1e-13);
  }
}

TEST(SquaredDistance, OfFlatGaussiansInPerpendicularPlanesIsTheSumOfTraces) {
  Random random(13);
  const Matrix rotation = random_rotation(4, random);
  const auto plane = [&](const Vector& variances) -> Gaussian {
    return {Vector::Zero(4), rotation * variances.asDiagonal() * rotation.transpose()};
  };
  EXPECT_NEAR(
      squared_distance(plane(Vector{{1.0, 2.0, 0.0, 0.0}}), plane(Vector{{0.0, 0.0, 3.0, 4.0}})),
      10.0, 1e-13);
}

// X -> D X couples the two Gaussians, so its cost bounds the distance from above.
// The second covariance is singular, and the units of the features differ.
TEST(SquaredDistance, OfASingularCovarianceOfDifferentUnitsIsSymmetric) {
  const Gaussian regular{Vector::Zero(3),
                         Matrix{{40, 50, -282}, {50, 189, 740}, {-282, 740, 21085}}};
  const Gaussian singular{Vector::Zero(3), Matrix{{1, 0, 36}, {0, 2592, 2592}, {36, 2592, 3888}}};
  // Eq. 2 with the roots of NumPy
  constexpr double expected = 8507.03054818579;
  EXPECT_NEAR(squared_distance(regular, singular), expected, 1e-9);
  EXPECT_NEAR(squared_distance(singular, regular), expected, 1e-9);
}

TEST(Distance, KeepsTheDigitsOfAFeatureOfSmallUnits) {
  Random random(4);
  for (const double unit : {1.0, 1e-4, 1e-6, 1e-9}) {
    for (const Index d : {2, 3, 8}) {
      Matrix factor = random_normal_matrix(d, d, random).triangularView<Eigen::Lower>();
      factor.row(0) *= unit;
      Matrix scaled = factor;
      scaled.row(0) *= 1.0625;
      const Gaussian first{Vector::Zero(d), factor * factor.transpose()};
      const Gaussian second{Vector::Zero(d), scaled * scaled.transpose()};
      EXPECT_LT(distance(first, second), (1.0 + 1e-6) * (factor - scaled).norm()) << unit << d;
    }
  }
}

TEST(Distance, RefusesBadGaussiansByName) {
  const Gaussian good{Vector::Zero(2), Matrix::Identity(2, 2)};
  const Gaussian wide{Vector::Zero(3), Matrix::Identity(3, 3)};
  expect_error<InvalidArgument>(
      [&] { (void)distance(good, wide); },
      "distance: first has 2 features and second 3, expected equal numbers");
  expect_error<InvalidArgument>(
      [&] { (void)squared_distance(good, wide); },
      "squared_distance: first has 2 features and second 3, expected equal numbers");
  Gaussian bad = good;
  bad.mean[1] = std::numeric_limits<double>::infinity();
  expect_error<InvalidArgument>([&] { (void)squared_distance(bad, good); },
                                "squared_distance: first.mean[1] is inf, expected a finite number");
  expect_error<InvalidArgument>([&] { (void)distance(good, bad); },
                                "distance: second.mean[1] is inf, expected a finite number");
}

}  // namespace
}  // namespace lbw
