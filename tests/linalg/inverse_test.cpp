// SPDX-License-Identifier: MIT
#include "linalg/inverse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/generators.hpp"

namespace lbw {
namespace {

TEST(Inverse, TimesTheMatrixIsTheIdentity) {
  Random random(3);
  for (const Index d : {1, 2, 7, 40}) {
    for (const double condition : {1.0, 1e6}) {
      // multiplied by a rotation, so not symmetric
      const Matrix matrix =
          random_rotation(d, random) * random_covariance(graded_eigenvalues(d, condition), random);
      const auto inverted = inverse(matrix);
      ASSERT_TRUE(inverted.has_value());
      EXPECT_LT(relative_error(matrix * *inverted, Matrix::Identity(d, d)), 1e-14 * condition);
    }
  }
}

TEST(Inverse, IsEmptyForSingularMatrices) {
  EXPECT_FALSE(inverse(Matrix::Zero(3, 3)).has_value());
  EXPECT_FALSE(inverse(Matrix{{1.0, 2.0}, {2.0, 4.0}}).has_value());
  EXPECT_FALSE(inverse(Matrix{{1.0, 1.0}, {1.0, 1.0 + 1e-16}}).has_value());
  EXPECT_FALSE(
      inverse(Matrix::Constant(2, 2, std::numeric_limits<double>::quiet_NaN())).has_value());
  EXPECT_TRUE(inverse(1e-200 * Matrix::Identity(2, 2)).has_value());  // small is not singular
}

TEST(LogAbsDeterminant, IsTheSumOfLogarithmsWhereTheProductOverflows) {
  Random random(5);
  const Matrix rotation = random_rotation(40, random);
  const Matrix matrix = -1e10 * rotation;
  EXPECT_NEAR(log_abs_determinant(matrix), 40 * std::log(1e10), 1e-10);
  EXPECT_EQ(log_abs_determinant(Matrix::Zero(2, 2)), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace lbw
