// SPDX-License-Identifier: MIT
#include "linalg/psd.hpp"
#include "support/epsilon.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/generators.hpp"

namespace lbw {
namespace {

// eigen solver and products make an error of a few epsilon per dimension
double tolerance_of(Index d) { return 10 * static_cast<double>(d) * epsilon; }

TEST(Symmetrized, IsSymmetricToTheLastBitAndKeepsSymmetricMatrices) {
  Random random(1);
  const Matrix matrix = random_normal_matrix(5, 5, random);
  const Matrix result = symmetrized(matrix);
  EXPECT_EQ(result, Matrix(result.transpose()));
  EXPECT_EQ(result(1, 3), 0.5 * matrix(1, 3) + 0.5 * matrix(3, 1));
  EXPECT_EQ(symmetrized(result), result);
}

TEST(IsDiagonal, LooksAtBothTriangles) {
  Matrix matrix = Matrix::Identity(3, 3);
  EXPECT_TRUE(is_diagonal(matrix));
  matrix(0, 2) = 1e-300;
  EXPECT_FALSE(is_diagonal(matrix));
  EXPECT_FALSE(is_diagonal(matrix.transpose()));
}

TEST(Scales, ArePowersOfTwoNearTheLargestEntry) {
  const Matrix matrix = (Matrix(2, 2) << 1.0, -20.0, 3.0, 0.0).finished();
  EXPECT_EQ(binary_scale(matrix), 16.0);
  EXPECT_EQ(binary_scale(Matrix::Zero(2, 2)), 1.0);
}

TEST(PsdFactor, GivesTheCovarianceBack) {
  Random random(2);
  for (const Index d : {1, 2, 3, 10, 40}) {
    for (const double condition : {1.0, 1e6, 1e12}) {
      const Matrix covariance = random_covariance(graded_eigenvalues(d, condition), random);
      const PsdFactor result = psd_factor(covariance);
      EXPECT_LT(relative_error(result.factor * result.factor.transpose(), covariance),
                tolerance_of(d));
      // diag(1 / sqrt e) V^T V diag(sqrt e): only the orthogonality of V, stretched by
      // sqrt(condition)
      EXPECT_LT(relative_error(result.pseudo_inverse * result.factor, Matrix::Identity(d, d)),
                tolerance_of(d) * std::sqrt(condition));
    }
  }
}

TEST(PsdFactor, HasTheRankOfTheCovariance) {
  Random random(3);
  for (const Index rank : {1, 2, 4}) {
    Vector eigenvalues = Vector::Zero(6);
    eigenvalues.head(rank).setConstant(2.0);
    const PsdFactor result = psd_factor(random_covariance(eigenvalues, random));
    Index n_zero_columns = 0;
    for (Index column = 0; column < 6; ++column) {
      n_zero_columns += result.factor.col(column).isZero(0.0) ? 1 : 0;
    }
    EXPECT_EQ(n_zero_columns, 6 - rank);
    // Penrose: A A+ A = A
    EXPECT_LT(relative_error(result.factor * result.pseudo_inverse * result.factor, result.factor),
              tolerance_of(6));
  }
}

TEST(PsdFactor, OfADiagonalCovarianceIsExactAtAnyGrading) {
  const Matrix covariance = Vector{{4.0, 0.0, 0x1p-200}}.asDiagonal();
  const PsdFactor result = psd_factor(covariance);
  EXPECT_EQ(result.factor, Matrix(Vector{{2.0, 0.0, 0x1p-100}}.asDiagonal()));
  EXPECT_EQ(result.pseudo_inverse, Matrix(Vector{{0.5, 0.0, 0x1p100}}.asDiagonal()));
}

TEST(PsdFactor, ScalesExactlyWithPowersOfFour) {
  Random random(4);
  const Matrix covariance = random_covariance(graded_eigenvalues(4, 1e3), random);
  const PsdFactor expected = psd_factor(covariance);
  for (const double root : {0x1p-500, 0x1p-7, 0x1p300, 0x1p500}) {
    const PsdFactor result = psd_factor(covariance * root * root);
    EXPECT_EQ(result.factor, Matrix(expected.factor * root));
    EXPECT_EQ(result.pseudo_inverse, Matrix(expected.pseudo_inverse / root));
  }
}

TEST(PsdFactor, OfZeroIsZero) {
  const PsdFactor result = psd_factor(Matrix::Zero(3, 3));
  EXPECT_EQ(result.factor, Matrix(Matrix::Zero(3, 3)));
  EXPECT_EQ(result.pseudo_inverse, Matrix(Matrix::Zero(3, 3)));
}

TEST(PsdRoot, GivesTheCovarianceBackAtAnyConditionAndRank) {
  Random random(6);
  for (const Index d : {1, 2, 3, 10, 40}) {
    for (const double condition : {1.0, 1e4, 1e8, 1e12, 1e16}) {
      const Matrix covariance = random_covariance(graded_eigenvalues(d, condition), random);
      const Matrix root = psd_root(covariance);
      EXPECT_LT(relative_error(root * root.transpose(), covariance), tolerance_of(d));
    }
    Vector eigenvalues = Vector::Zero(d);
    eigenvalues.head(d / 2).setConstant(2.0);
    const Matrix flat = random_covariance(eigenvalues, random);
    EXPECT_EQ(psd_root(flat), psd_factor(flat).factor);
  }
}

TEST(PsdRoot, OfADiagonalCovarianceIsExactAtAnyGrading) {
  const Matrix covariance = Vector{{4.0, 0.0, 0x1p-200}}.asDiagonal();
  EXPECT_EQ(psd_root(covariance), Matrix(Vector{{2.0, 0.0, 0x1p-100}}.asDiagonal()));
  const Matrix regular = Vector{{4.0, 0x1p-200}}.asDiagonal();
  EXPECT_EQ(psd_root(regular), Matrix(Vector{{2.0, 0x1p-100}}.asDiagonal()));
}

void expect_decomposes(const Matrix& matrix, const Svd& svd) {
  const Index n = matrix.rows();
  EXPECT_GE(svd.singular_values.minCoeff(), 0.0);
  EXPECT_LT(
      relative_error(svd.left * svd.singular_values.asDiagonal() * svd.right.transpose(), matrix),
      tolerance_of(n));
  EXPECT_LT(relative_error(svd.left.transpose() * svd.left, Matrix::Identity(n, n)),
            tolerance_of(n));
  EXPECT_LT(relative_error(svd.right.transpose() * svd.right, Matrix::Identity(n, n)),
            tolerance_of(n));
}

// Repeated and missing singular values, on which Eigen's divide and conquer gave NaN at 16 and lost
// half the digits at 33.
TEST(SquareSvd, DecomposesOrthogonallyAtAnyRank) {
  Random random(5);
  for (const Index n : {1, 2, 5, 16, 17, 32, 33, 64, 80}) {
    for (const Index rank : {n, n / 2, Index{0}}) {
      Vector values = Vector::Zero(n);
      values.head(rank).setOnes();
      values.head(rank / 2) *= 3.0;
      const Matrix matrix =
          random_rotation(n, random) * values.asDiagonal() * random_rotation(n, random).transpose();
      expect_decomposes(matrix, square_svd(matrix));
    }
    const Matrix graded =
        random_normal_matrix(n, n, random) * Matrix(graded_eigenvalues(n, 1e12).asDiagonal());
    expect_decomposes(graded, square_svd(graded));
  }
}

TEST(SquareSvd, DecomposesOnBothSidesOfNearlySingular) {
  Random random(7);
  for (const Index n : {2, 3, 10, 40}) {
    for (double condition = 1.0; condition < 1e17; condition *= 10.0) {
      const Matrix matrix = random_rotation(n, random) *
                            graded_eigenvalues(n, condition).asDiagonal() *
                            random_rotation(n, random);
      expect_decomposes(matrix, square_svd(matrix));
    }
  }
}

TEST(SquareSvd, OfANonNegativeDiagonalKeepsTheAxes) {
  const Matrix matrix = Vector{{1e-30, 0.0, 5.0}}.asDiagonal();
  const Svd svd = square_svd(matrix);
  EXPECT_EQ(svd.left, Matrix(Matrix::Identity(3, 3)));
  EXPECT_EQ(svd.right, Matrix(Matrix::Identity(3, 3)));
  EXPECT_EQ(svd.singular_values, Vector(matrix.diagonal()));
  const Matrix negative = Vector{{-1.0, 2.0}}.asDiagonal();
  expect_decomposes(negative, square_svd(negative));
}

}  // namespace
}  // namespace lbw
