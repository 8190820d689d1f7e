// SPDX-License-Identifier: MIT
#include "device/rotate_points.hpp"

#include <gtest/gtest.h>

#include "support/each_instruction_set.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

TEST(TurnPoints, IsTheProductWhereverAPointLies) {
  Random random(1);
  for (const Index d : {1, 2, 3, 4, 7, 10, 33}) {
    const Matrix matrix = random_normal_matrix(d, d, random);
    const Index n = padded_points(37);
    EXPECT_EQ(n, 48);
    const RowMatrix points = random_normal_matrix(d, n, random);
    const RowMatrix shifted = points.rowwise().reverse();
    const Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> expected =
        matrix.cast<long double>() * points.cast<long double>();
    for_each_instruction_set([&] {
      RowMatrix out(d, n);
      rotate_points(matrix, points, out);
      EXPECT_LT((out.cast<long double>() - expected).cwiseAbs().maxCoeff(),
                1e-14L * static_cast<long double>(d) * expected.cwiseAbs().maxCoeff());
      RowMatrix other(d, n);
      rotate_points(matrix, shifted, other);
      EXPECT_EQ(other, RowMatrix(out.rowwise().reverse()));
    });
  }
}

TEST(TurnPoints, ScalesByADiagonalMatrix) {
  Random random(2);
  const Vector factors = random_normal_matrix(5, 1, random);
  const Matrix diagonal = factors.asDiagonal();
  const RowMatrix points = random_normal_matrix(5, padded_points(37), random);
  const RowMatrix expected = diagonal * points;
  for_each_instruction_set([&] {
    RowMatrix out(5, points.cols());
    rotate_points(diagonal, points, out);
    EXPECT_EQ(out, expected);
    Matrix nearly = diagonal;
    nearly(3, 1) = 1.0;
    rotate_points(nearly, points, out);
    EXPECT_EQ(out.row(2), expected.row(2));
    EXPECT_NE(out.row(3), expected.row(3));
  });
}

}  // namespace
}  // namespace lbw
