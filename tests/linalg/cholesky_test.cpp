// SPDX-License-Identifier: MIT
#include "linalg/cholesky.hpp"
#include "support/epsilon.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/each_instruction_set.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

TEST(CholeskyFactor, IsLowerTriangularAndReproducesTheCovariance) {
  Random random(1);
  for (const Index d : {1, 2, 5, 20, 31, 32, 33, 40, 55, 64, 130}) {
    const Matrix covariance = random_covariance(graded_eigenvalues(d, 1e8), random);
    const std::optional<Matrix> lower = cholesky_factor(covariance);
    ASSERT_TRUE(lower.has_value());
    EXPECT_TRUE(lower->isLowerTriangular(0.0));
    // backward stable whatever the condition: d + 1 roundings per entry
    EXPECT_LT(relative_error(*lower * lower->transpose(), covariance),
              static_cast<double>(d + 1) * epsilon);
  }
}

TEST(Whitening, TurnsTheCovarianceIntoTheIdentity) {
  Random random(2);
  for (const double condition : {1.0, 1e3, 1e6, 1e9}) {
    const Matrix covariance = random_covariance(graded_eigenvalues(6, condition), random);
    const std::optional<Whitening> result = whitening(covariance);
    ASSERT_TRUE(result.has_value());
    EXPECT_TRUE(result->inverse_lower.isLowerTriangular(0.0));
    const Matrix white = result->inverse_lower * covariance * result->inverse_lower.transpose();
    // the inverse magnifies the rounding of the covariance
    EXPECT_LT(relative_error(white, Matrix::Identity(6, 6)), 10 * epsilon * condition);
  }
}

// 32 features and more are factored in blocks of eight columns
TEST(Whitening, OfManyFeaturesIsTheInverseOnAllInstructionSets) {
  Random random(2);
  for (const Index d : {31, 32, 33, 39, 40, 41, 64, 65, 129}) {
    const Matrix covariance = random_covariance(graded_eigenvalues(d, 1e3), random);
    for_each_instruction_set([&] {
      const std::optional<Matrix> lower = cholesky_factor(covariance);
      const std::optional<Whitening> result = whitening(covariance);
      ASSERT_TRUE(lower.has_value() && result.has_value());
      EXPECT_TRUE(lower->isLowerTriangular(0.0));
      EXPECT_TRUE(result->inverse_lower.isLowerTriangular(0.0));
      EXPECT_LT(relative_error(*lower * lower->transpose(), covariance),
                static_cast<double>(d + 1) * epsilon);
      EXPECT_LT(relative_error(result->inverse_lower * *lower, Matrix::Identity(d, d)),
                static_cast<double>(d) * epsilon * std::sqrt(1e3));
    });
  }
}

TEST(CholeskyFactor, RefusesManyFeaturesIfOneDependsOnOthers) {
  Random random(6);
  for (const Index d : {32, 45, 70}) {
    for (const Index dependent : {1, 7, 8, 31}) {
      Matrix covariance = random_covariance(graded_eigenvalues(d, 10.0), random);
      // feature `dependent` becomes a copy of feature 0
      covariance.row(dependent) = covariance.row(0).eval();
      covariance.col(dependent) = covariance.col(0).eval();
      for_each_instruction_set([&] { EXPECT_FALSE(cholesky_factor(covariance).has_value()); });
    }
  }
}

TEST(Whitening, GivesTheLogDeterminantOfTheEigenvalues) {
  Random random(3);
  const Vector eigenvalues = graded_eigenvalues(7, 1e4);
  const std::optional<Whitening> result = whitening(random_covariance(eigenvalues, random));
  ASSERT_TRUE(result.has_value());
  // relative errors of eigenvalues up to epsilon * condition
  EXPECT_NEAR(result->log_determinant, eigenvalues.array().log().sum(), 50 * epsilon * 1e4);
}

TEST(Whitening, OfADiagonalCovarianceIsExact) {
  const Matrix covariance = Vector{{4.0, 0.25, 1e-40}}.asDiagonal();
  const std::optional<Whitening> result = whitening(covariance);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->inverse_lower(0, 0), 0.5);
  EXPECT_EQ(result->inverse_lower(1, 1), 2.0);
  // features of very different units do not make it singular
  EXPECT_NEAR(result->inverse_lower(2, 2), 1e20, 1e5);
  EXPECT_NEAR(result->log_determinant, -40 * std::log(10.0), 1e-13);
}

TEST(CholeskyFactor, RefusesWhatIsNotPositiveDefinite) {
  EXPECT_FALSE(cholesky_factor(Matrix::Zero(1, 1)).has_value());
  EXPECT_FALSE(cholesky_factor(-Matrix::Identity(2, 2)).has_value());
  EXPECT_FALSE(cholesky_factor(Matrix::Ones(2, 2)).has_value());
  EXPECT_FALSE(cholesky_factor((Matrix(2, 2) << 1, 2, 2, 1).finished()).has_value());
  EXPECT_FALSE(cholesky_factor(Matrix::Constant(2, 2, std::nan(""))).has_value());
  Random random(4);
  // singular to rounding: the pivot that should be 0 is noise of either sign
  for (int round = 0; round < 50; ++round) {
    const Vector direction = random_normal_vector(3, random);
    EXPECT_FALSE(cholesky_factor(direction * direction.transpose()).has_value());
  }
}

TEST(CholeskyInPlace, RefusesPivotsThatLostTooMuch) {
  // the second pivot is 1 - 0.99 * 0.99 = 0.0199
  const Matrix covariance{{1.0, 0.99}, {0.99, 1.0}};
  Matrix lower{{1.0, 0.99}, {0.99, 1.0}};
  EXPECT_TRUE(cholesky_in_place(lower, 0.0198));
  EXPECT_LT(relative_error(lower * lower.transpose(), covariance), 1e-15);
  EXPECT_EQ(lower(0, 1), 0.0);
  Matrix refused{{1.0, 0.99}, {0.99, 1.0}};
  EXPECT_FALSE(cholesky_in_place(refused, 0.02));
}

}  // namespace
}  // namespace lbw
