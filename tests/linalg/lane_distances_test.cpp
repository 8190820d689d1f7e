// SPDX-License-Identifier: MIT
#include "linalg/lane_distances.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/epsilon.hpp"
#include "support/gaussian_oracles.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

std::vector<Matrix> random_covariances(Index d, int count, std::uint64_t seed) {
  std::vector<Matrix> covariances;
  for (const Gaussian& gaussian : random_gaussians(d, count, seed)) {
    covariances.push_back(gaussian.covariance);
  }
  return covariances;
}

RowMatrix lane_squares(const std::vector<Matrix>& sources, const std::vector<Matrix>& targets) {
  RowMatrix squares(std::ssize(sources), std::ssize(targets));
  lane_distances(sources, targets, 0, squares.rows(), squares);
  return squares;
}

// some ten roundings per dimension
TEST(LaneDistances, AreEquationTwo) {
  for (const Index d : {2, 3, 5, 10, 16}) {
    const std::vector<Matrix> sources = random_covariances(d, 3, 1);
    const std::vector<Matrix> targets = random_covariances(d, 19, 2);
    const RowMatrix squares = lane_squares(sources, targets);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      for (std::size_t j = 0; j < targets.size(); ++j) {
        const double expected =
            oracle::squared_distance({Vector::Zero(d), sources[i]}, {Vector::Zero(d), targets[j]});
        EXPECT_NEAR(squares(static_cast<Index>(i), static_cast<Index>(j)) / expected, 1.0,
                    10 * static_cast<double>(d) * epsilon);
      }
    }
  }
}

TEST(LaneDistances, DoNotDependOnTheOtherPairs) {
  const std::vector<Matrix> sources = random_covariances(6, 5, 3);
  const std::vector<Matrix> targets = random_covariances(6, 13, 4);
  const RowMatrix squares = lane_squares(sources, targets);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t j = 0; j < targets.size(); ++j) {
      EXPECT_EQ(lane_squares({sources[i]}, {targets[j]})(0, 0),
                squares(static_cast<Index>(i), static_cast<Index>(j)));
    }
  }
}

TEST(LaneDistances, AreNotANumberForWhatNeedsAnotherAlgorithm) {
  Random random(5);
  const std::vector<Matrix> good = random_covariances(4, 6, 6);
  const Vector units{{1.0, 1e-4, 1.0, 1.0}};
  for (const Matrix& bad : {Matrix(Matrix::Zero(4, 4)), Matrix(-good[0]), Matrix(1e70 * good[0]),
                            Matrix(Matrix::Constant(4, 4, 1.0)),
                            Matrix(random_covariance(graded_eigenvalues(4, 1e9), random)),
                            Matrix(good[0] * std::numeric_limits<double>::quiet_NaN()),
                            Matrix(units.asDiagonal() * good[0] * units.asDiagonal())}) {
    std::vector<Matrix> some = good;
    some[2] = bad;
    const RowMatrix squares = lane_squares(some, some);
    for (Index i = 0; i < squares.rows(); ++i) {
      for (Index j = 0; j < squares.cols(); ++j) {
        EXPECT_EQ(std::isnan(squares(i, j)), i == 2 || j == 2) << bad;
      }
    }
  }
}

}  // namespace
}  // namespace lbw
