// SPDX-License-Identifier: MIT
#include "linalg/rotation.hpp"
#include "support/epsilon.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

namespace lbw {
namespace {

TEST(HaarRotation, IsARotation) {
  Random random(1);
  for (const Index d : {1, 2, 3, 10, 60}) {
    const Matrix rotation = haar_rotation(d, random);
    // reflections and products make an error of a few epsilon per dimension
    EXPECT_LT(distance_from_orthogonal(rotation), 20 * static_cast<double>(d) * epsilon) << d;
    EXPECT_NEAR(rotation.determinant(), 1.0, 1e-12) << d;
  }
}

TEST(HaarRotation, OfOneDimensionIsTheIdentity) {
  Random random(2);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(haar_rotation(1, random)(0, 0), 1.0);
}

TEST(HaarRotation, IsAFunctionOfTheGenerator) {
  Random first(3);
  Random second(3);
  EXPECT_EQ(haar_rotation(5, first), haar_rotation(5, second));
  EXPECT_NE(haar_rotation(5, first), haar_rotation(5, first));
}

// Entries of a uniform rotation have mean 0 and variance 1/d, also those of the first column and of
// the diagonal, whose sign a decomposition would fix.
TEST(HaarRotation, IsUniform) {
  Random random(5);
  constexpr int n_draws = 20'000;
  Matrix sum = Matrix::Zero(3, 3);
  Matrix squares = Matrix::Zero(3, 3);
  for (int i = 0; i < n_draws; ++i) {
    const Matrix rotation = haar_rotation(3, random);
    sum += rotation;
    squares += rotation.cwiseAbs2();
  }
  // four standard deviations of a mean of 20 000: of entries 0.577, of their squares 0.298
  EXPECT_LT((sum / n_draws).cwiseAbs().maxCoeff(), 4 * 0.577 / std::sqrt(n_draws));
  EXPECT_LT(((squares / n_draws).array() - 1.0 / 3.0).abs().maxCoeff(),
            4 * 0.298 / std::sqrt(n_draws));
}

TEST(DistanceFromOrthogonal, IsThatOfTheProductFromTheIdentity) {
  Matrix matrix = Matrix::Identity(3, 3);
  EXPECT_EQ(distance_from_orthogonal(matrix), 0.0);
  matrix(0, 0) = 2.0;
  EXPECT_EQ(distance_from_orthogonal(matrix), 3.0);
  matrix(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(distance_from_orthogonal(matrix)));
}

}  // namespace
}  // namespace lbw
