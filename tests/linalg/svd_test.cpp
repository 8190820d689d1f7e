// SPDX-License-Identifier: MIT
#include "linalg/svd.hpp"
#include "support/epsilon.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>

#include "support/generators.hpp"

namespace lbw {
namespace {

double error_of_orthogonality(const Matrix& matrix) {
  return (matrix.transpose() * matrix - Matrix::Identity(matrix.cols(), matrix.cols())).norm();
}

// A Q, with Q the orthogonal factor of A^T B, is the rotation of A that is closest to B, so that
// B^T A Q is symmetric: row by row, whatever the units.
TEST(SvdOfProduct, GivesTheOrthogonalFactorWhateverTheUnits) {
  Random random(1);
  for (const Vector& units : {Vector{{1.0, 1.0, 1.0}}, Vector{{1e8, 1.0, 1e-8}},
                              Vector{{1e-30, 1.0, 1e5, 1e30, 1e-5}}, Vector{{1e-4, 1.0, 1e4}}}) {
    const Index n = units.size();
    const Matrix a = units.asDiagonal() * random_normal_matrix(n, n, random);
    const Matrix b = units.asDiagonal() * random_normal_matrix(n, n, random);
    const Svd svd = svd_of_product(a, b);
    EXPECT_LT(error_of_orthogonality(svd.left), 100 * epsilon);
    EXPECT_LT(error_of_orthogonality(svd.right), 100 * epsilon);
    EXPECT_GE(svd.singular_values.minCoeff(), 0.0);
    // T = B V U^T A^-1 is symmetric, each entry relative to the units of its row and column
    const Matrix scaled_map = units.cwiseInverse().asDiagonal() *
                              (b * (svd.right * svd.left.transpose())) *
                              (units.cwiseInverse().asDiagonal() * a).inverse();
    for (Index f = 0; f < n; ++f) {
      for (Index g = 0; g < n; ++g) {
        // T_fg = scaled_map_fg u_f / u_g in the larger unit carries the rounding of scaled_map
        const double ratio = (units[f] / units[g]) * (units[f] / units[g]);
        if (ratio > 1.0) continue;
        EXPECT_NEAR(scaled_map(f, g) * ratio, scaled_map(g, f), 1e-12 * scaled_map.norm())
            << f << g;
      }
    }
  }
}

TEST(SvdOfProduct, OfSingularFactorsIsOrthogonal) {
  Random random(2);
  const Vector units{{1e6, 1.0, 1e-6, 1e3}};
  Matrix a = units.asDiagonal() * random_normal_matrix(4, 4, random);
  Matrix b = units.asDiagonal() * random_normal_matrix(4, 4, random);
  a.col(1).setZero();
  b.row(2).setZero();
  b.col(0).setZero();
  const Svd svd = svd_of_product(a, b);
  EXPECT_LT(error_of_orthogonality(svd.left), 100 * epsilon);
  EXPECT_LT(error_of_orthogonality(svd.right), 100 * epsilon);
  const Matrix product = svd.left * svd.singular_values.asDiagonal() * svd.right.transpose();
  EXPECT_LT(relative_error(product, a.transpose() * b), 100 * epsilon);
  const Svd none = svd_of_product(Matrix::Zero(3, 3), Matrix::Zero(3, 3));
  EXPECT_LT(error_of_orthogonality(none.right), epsilon);
}

TEST(AreGraded, IfTwoUnitsDifferByAFactorAbove256) {
  EXPECT_FALSE(are_graded(Vector{{1.0, 1.0, 1.0}}));
  EXPECT_FALSE(are_graded(Vector{{0.5, 128.0, 1.0}}));
  EXPECT_TRUE(are_graded(Vector{{0.5, 129.0, 1.0}}));
  EXPECT_FALSE(are_graded(Vector{{0.0, 256.0, 1.0}})) << "features without variance have no unit";
  EXPECT_TRUE(are_graded(Vector{{0.0, 257.0, 1.0}}));
  EXPECT_FALSE(are_graded(Vector::Zero(3)));
}

}  // namespace
}  // namespace lbw
