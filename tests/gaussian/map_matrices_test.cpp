// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/gaussian.hpp>

#include "support/expect_error.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

struct StackedPairs {
  RowMatrix sources;
  RowMatrix targets;

  /// Regular, badly conditioned, singular, diagonal and equal covariances.
  explicit StackedPairs(Index d, Index n = 1'100) : sources(n * d, d), targets(n * d, d) {
    Random random(24);
    for (Index i = 0; i < n; ++i) {
      const double condition = i % 97 == 3 ? 1e12 : 10.0;
      sources.middleRows(i * d, d) = random_covariance(graded_eigenvalues(d, condition), random);
      targets.middleRows(i * d, d) = random_covariance(graded_eigenvalues(d, 5.0), random);
    }
    Vector variances = Vector::LinSpaced(d, 1.0, 2.0);
    targets.middleRows(2 * d, d) = variances.asDiagonal();
    sources.middleRows(2 * d, d) = Matrix(2.0 * variances.asDiagonal());
    targets.middleRows(7 * d, d) = sources.middleRows(7 * d, d);
    variances[0] = 0.0;
    sources.middleRows(11 * d, d) = random_covariance(variances, random);
  }
};

TEST(MapMatrices, AreThoseOfThePairsBitForBitAtAnyThreadCount) {
  for (const Index d : {1, 2, 3, 10, 33}) {
    const StackedPairs pairs(d, d > 10 ? 30 : 1'100);
    for (const int n_threads : {1, 2, 5}) {
      const RowMatrix maps = map_matrices(pairs.sources, pairs.targets, {.n_threads = n_threads});
      ASSERT_EQ(maps.rows(), pairs.sources.rows());
      ASSERT_EQ(maps.cols(), d);
      for (Index row = 0; row < maps.rows(); row += d) {
        const Matrix expected =
            map_matrix(pairs.sources.middleRows(row, d), pairs.targets.middleRows(row, d));
        EXPECT_EQ(Matrix(maps.middleRows(row, d)), expected) << d << ", row " << row;
      }
    }
  }
}

TEST(MapMatrices, OfNoneAreNone) {
  EXPECT_EQ(map_matrices(RowMatrix(0, 3), RowMatrix(0, 3)).rows(), 0);
}

TEST(MapMatrices, RefuseTheFirstBadCovarianceByItsPlace) {
  StackedPairs pairs(3, 40);
  pairs.targets.middleRows(3 * 31, 3) = Vector{{1.0, -2.0, 2.0}}.asDiagonal();
  pairs.targets.middleRows(3 * 17, 3) = Vector{{1.0, -1.0, 2.0}}.asDiagonal();
  for (const int n_threads : {1, 3}) {
    expect_error<InvalidArgument>(
        [&] { (void)map_matrices(pairs.sources, pairs.targets, {.n_threads = n_threads}); },
        "map_matrices: targets[17] has the eigenvalue -1, expected a positive semidefinite matrix "
        "(eigenvalues >= -1e-10 of the largest)");
    expect_error<InvalidArgument>(
        [&] { (void)map_matrices(pairs.targets, pairs.sources, {.n_threads = n_threads}); },
        "map_matrices: sources[17] has the eigenvalue -1, expected a positive semidefinite matrix "
        "(eigenvalues >= -1e-10 of the largest)");
  }
}

TEST(MapMatrices, RefuseOtherShapes) {
  expect_error<InvalidArgument>(
      [] { (void)map_matrices(RowMatrix(7, 3), RowMatrix(6, 3)); },
      "map_matrices: sources has the shape 7 x 3, expected (n * n_features, n_features), one "
      "covariance below the other");
  expect_error<InvalidArgument>(
      [] { (void)map_matrices(RowMatrix(6, 3), RowMatrix(9, 3)); },
      "map_matrices: targets has the shape 9 x 3, expected that of sources, 6 x 3");
  expect_error<InvalidArgument>(
      [] { (void)map_matrices(RowMatrix(0, 0), RowMatrix(0, 0)); },
      "map_matrices: sources has the shape 0 x 0, expected (n * n_features, n_features), one "
      "covariance below the other");
}

}  // namespace
}  // namespace lbw
