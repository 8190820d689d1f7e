// SPDX-License-Identifier: MIT
// Gaussians at the ends of double precision: a result is accurate, or an error names the cause.
#include <gtest/gtest.h>

#include <cmath>
#include <lbw/gaussian.hpp>

#include "support/epsilon.hpp"
#include "support/expect_error.hpp"
#include "support/gaussian_oracles.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

constexpr int powers[] = {-500, -300, -120, 50, 300, 500};  // 1e-150 to 1e150

Gaussian ill_conditioned(Index d, double condition, Random& random) {
  return {random_normal_vector(d, random),
          random_covariance(graded_eigenvalues(d, condition), random)};
}

/// In steps, because a square such as 2^1200 overflows.
Gaussian scaled(const Gaussian& gaussian, int power) {
  const double scale = std::ldexp(1.0, power);
  return {scale * gaussian.mean, scale * Matrix(scale * gaussian.covariance)};
}

Matrix unscaled(const Matrix& covariance, int power) {
  return std::ldexp(1.0, -power) * Matrix(std::ldexp(1.0, -power) * covariance);
}

// Eq. 3 of 4^p S and 4^p R is the same map; Eq. 2 and Eq. 5 scale by 2^p and 4^p. Powers of two
// are exact, so only the branches of the code may differ, by the rounding that the condition of S
// amplifies.
TEST(GaussianAdversaries, ScaleExactlyFromTinyToHuge) {
  Random random(1);
  for (const Index d : {1, 2, 3, 8, 20}) {
    for (const double condition : {1.0, 1e6, 1e12, 1e15}) {
      std::vector<Gaussian> group;
      for (int i = 0; i < 3; ++i) group.push_back(ill_conditioned(d, condition, random));
      const std::vector<double> weights{0.2, 0.3, 0.5};
      const Matrix map = map_matrix(group[0].covariance, group[1].covariance);
      const double length = distance(group[0], group[1]);
      const Matrix middle = barycenter(group, weights).barycenter.covariance;
      for (const int power : powers) {
        std::vector<Gaussian> other;
        for (const Gaussian& own : group) other.push_back(scaled(own, power));
        EXPECT_LT(relative_error(map_matrix(other[0].covariance, other[1].covariance), map),
                  std::min(1e-6, 10.0 * condition * epsilon))
            << d << " " << condition << " " << power;
        EXPECT_NEAR(std::ldexp(distance(other[0], other[1]), -power) / length, 1.0, 1e-12);
        const Matrix scaled_middle = barycenter(other, weights).barycenter.covariance;
        EXPECT_LT(relative_error(unscaled(scaled_middle, power), middle), 1e-12);
      }
    }
  }
}

TEST(GaussianAdversaries, MapsReachTheirTargetsUpToTheCondition) {
  Random random(2);
  for (const Index d : {2, 3, 8, 20}) {
    for (const double condition : {1e3, 1e8, 1e12}) {
      const Matrix source = ill_conditioned(d, condition, random).covariance;
      const Matrix target = ill_conditioned(d, condition, random).covariance;
      const oracle::LongMatrix map = oracle::widened(map_matrix(source, target));
      const oracle::LongMatrix reached = map * oracle::widened(source) * map;
      // the entries of S have an error of epsilon, the smallest eigenvalue condition * epsilon
      EXPECT_LT(relative_error(reached.cast<double>(), target), 100.0 * condition * epsilon);
    }
  }
}

struct Variances {
  Vector source;
  Vector target;
};

/// From denormal to huge in one covariance.
Variances random_variances(Index d, Random& random) {
  Variances result{Vector(d), Vector(d)};
  for (Vector* variances : {&result.source, &result.target}) {
    for (double& variance : *variances) variance = std::pow(10.0, 300.0 * random.uniform() - 150.0);
  }
  result.source[0] = 1e-310;
  result.target[0] = 3e-310;
  result.target[d - 1] = 1e307;
  return result;
}

// Diagonal covariances commute: T = sqrt(r / s), and the barycenter has the mean deviation.
TEST(GaussianAdversaries, OfDiagonalCovariancesFollowTheClosedFormInEveryFeature) {
  Random random(3);
  const std::vector<double> weights{0.25, 0.75};
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto [s, r] = random_variances(5, random);
    const Gaussian source{Vector::Zero(5), s.asDiagonal()};
    const Gaussian target{Vector::Zero(5), r.asDiagonal()};
    const Matrix map = map_matrix(source.covariance, target.covariance);
    const std::vector<Gaussian> both{source, target};
    const std::vector<Gaussian> three{source, target, source};
    const Matrix middle = barycenter(both, weights).barycenter.covariance;
    const Matrix same_middle =
        barycenter(three, std::vector<double>{0.125, 0.75, 0.125}).barycenter.covariance;
    for (Index f = 0; f < 5; ++f) {
      const long double from = std::sqrt(static_cast<long double>(s[f]));
      const long double to = std::sqrt(static_cast<long double>(r[f]));
      EXPECT_NEAR(map(f, f) / static_cast<double>(to / from), 1.0, 4 * epsilon);
      const auto deviation = 0.25L * from + 0.75L * to;
      const auto expected = static_cast<double>(deviation * deviation);
      const double rounding = 1e-12 * expected + 1e-322;  // denormals have few digits
      EXPECT_NEAR(middle(f, f), expected, rounding);
      EXPECT_NEAR(same_middle(f, f), expected, rounding);
    }
    EXPECT_TRUE((map.array() == 0.0 || Matrix::Identity(5, 5).array() == 1.0).all());
  }
}

// (x, x, y, 0) has the covariance E S E^T. With D = E^T E, E D^-1/2 is an isometry, so distances
// are those of D^1/2 S D^1/2.
TEST(GaussianAdversaries, AllowDuplicatedAndConstantFeatures) {
  Random random(4);
  const Matrix copies{{1.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}, {0.0, 0.0}};
  const Vector roots{{std::sqrt(2.0), 1.0}};
  for (const int power : powers) {
    const Gaussian first = random_gaussian(2, random);
    const Gaussian second = random_gaussian(2, random);
    const auto copied = [&](const Gaussian& own) {
      return scaled({copies * own.mean, copies * own.covariance * copies.transpose()}, power);
    };
    const auto short_form = [&](const Gaussian& own) -> Gaussian {
      return {roots.cwiseProduct(own.mean),
              roots.asDiagonal() * own.covariance * roots.asDiagonal()};
    };
    EXPECT_NEAR(std::ldexp(distance(copied(first), copied(second)), -power),
                std::sqrt(oracle::squared_distance(short_form(first), short_form(second))), 1e-7);
    const Matrix map = map_matrix(copied(first).covariance, copied(second).covariance);
    const Matrix target = copies * second.covariance * copies.transpose();
    EXPECT_LT(relative_error(map * copies * first.covariance * copies.transpose() * map, target),
              1e-12);
    EXPECT_EQ(map.row(3), Matrix::Zero(1, 4));
  }
}

// The difference of a point and a mean close to it is exact.
TEST(GaussianAdversaries, KeepDigitsOfDisplacementsFarFromTheOrigin) {
  Random random(5);
  for (int repeat = 0; repeat < 10; ++repeat) {
    Gaussian source = random_gaussian(3, random);
    const Gaussian target = random_gaussian(3, random);
    source.mean.array() += 1e9;
    const Vector point = source.mean + random_normal_vector(3, random);
    const Matrix map = map_matrix(source.covariance, target.covariance);
    const Vector expected = target.mean + map * (point - source.mean);
    EXPECT_LT((gaussian_map(source, target)(point) - expected).norm(), 1e-14);
  }
}

Matrix correlated(double first_deviation, double second_deviation, double correlation) {
  const double product = correlation * first_deviation * second_deviation;
  return Matrix{{first_deviation * first_deviation, product},
                {product, second_deviation * second_deviation}};
}

TEST(GaussianAdversaries, WithUnitsUpToTheLimitReachEveryEntry) {
  for (const double unit : {1e10, 1e20, 1e29}) {
    const Matrix source = correlated(1.0 / unit, unit, 0.5);
    const Matrix target = correlated(2.0 / unit, unit, -0.25);
    const oracle::LongMatrix map = oracle::widened(map_matrix(source, target));
    const oracle::LongMatrix reached = map * oracle::widened(source) * map;
    for (Index f = 0; f < 2; ++f) {
      for (Index g = 0; g < 2; ++g) {
        EXPECT_NEAR(static_cast<double>(reached(f, g) / target(f, g)), 1.0, 1e-12) << unit;
      }
    }
  }
}

TEST(GaussianAdversaries, BeyondTheRangeOfDoublesAreErrorsInWords) {
  const std::string units =
      "the standard deviations of two features of a covariance differ by a factor of more than "
      "1e60, which exceeds the range of double precision; rescale the features";
  for (const double unit : {1e31, 1e50, 1e75, 1e150}) {
    const Gaussian first{Vector::Zero(2), correlated(1.0 / unit, unit, 0.5)};
    const Gaussian second{Vector::Zero(2), correlated(2.0 / unit, unit, -0.25)};
    const std::vector<Gaussian> both{first, second};
    const std::vector<double> weights{0.5, 0.5};
    expect_error<NumericalError>([&] { (void)map_matrix(first.covariance, second.covariance); },
                                 units);
    expect_error<NumericalError>([&] { (void)distance(first, second); }, units);
    expect_error<NumericalError>([&] { (void)barycenter(both, weights); }, units);
  }
  const auto gaussian = [](double mean, double variance) -> Gaussian {
    return {Vector::Constant(1, mean), Matrix::Constant(1, 1, variance)};
  };
  expect_error<NumericalError>(
      [&] { (void)squared_distance(gaussian(1e160, 1.0), gaussian(-1e160, 1.0)); },
      "squared_distance: the result exceeds the range of double precision; rescale the features");
  EXPECT_EQ(distance(gaussian(1e160, 1.0), gaussian(-1e160, 1.0)), 2e160);
  expect_error<NumericalError>(
      [&] { (void)distance(gaussian(1e308, 1.0), gaussian(-1e308, 1.0)); },
      "distance: the result exceeds the range of double precision; rescale the features");
  expect_error<NumericalError>(
      [&] { (void)gaussian_map(gaussian(0.0, 1e-320), gaussian(0.0, 1e300)); },
      "gaussian_map: the ratio of the standard deviations of target and source exceeds the range "
      "of double precision; rescale the features");
}

}  // namespace
}  // namespace lbw
