// SPDX-License-Identifier: MIT
// Distances between all covariances of two lists.
#include <gtest/gtest.h>

#include <cstdint>
#include <lbw/gaussian.hpp>
#include <lbw/types.hpp>
#include <vector>

#include "gaussian/unchecked.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

/// More covariances than a chunk has rows; the fifth is singular.
std::vector<Matrix> covariances(Index d, int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Matrix> drawn;
  for (int i = 0; i < count; ++i) drawn.push_back(random_gaussian(d, random).covariance);
  Vector eigenvalues = Vector::Ones(d);
  eigenvalues[0] = 0.0;
  drawn.at(4) = random_covariance(eigenvalues, random);
  return drawn;
}

double squared_distance_of(const Matrix& source, const Matrix& target) {
  const Vector mean = Vector::Zero(source.rows());
  return squared_distance({mean, source}, {mean, target});
}

// Vector instructions compute the distances of 2 to 32 features.
TEST(SquaredCovarianceDistances, AreThoseOfThePairsInAnyDimension) {
  for (const Index d : {1, 2, 3, 32, 33}) {
    const std::vector<Matrix> sources = covariances(d, 18, 1);
    const std::vector<Matrix> targets = covariances(d, 6, 2);
    const RowMatrix squares = squared_covariance_distances(sources, targets);
    ASSERT_EQ(squares.rows(), 18);
    ASSERT_EQ(squares.cols(), 6);
    for (Index i = 0; i < 18; ++i) {
      for (Index j = 0; j < 6; ++j) {
        const Matrix& source = sources[static_cast<std::size_t>(i)];
        const Matrix& target = targets[static_cast<std::size_t>(j)];
        // some hundred roundings of the traces; conditions are up to 30
        EXPECT_NEAR(squares(i, j), squared_distance_of(source, target),
                    1e-13 * (source.trace() + target.trace()))
            << d << ": " << i << ", " << j;
      }
    }
  }
}

TEST(SquaredCovarianceDistances, AreExactlyZeroWhereCovariancesAreEqual) {
  for (const Index d : {1, 3, 33}) {
    const std::vector<Matrix> sources = covariances(d, 7, 3);
    const std::vector<Matrix> targets = {sources[4], sources[6]};
    const RowMatrix squares = squared_covariance_distances(sources, targets);
    for (Index i = 0; i < 7; ++i) {
      EXPECT_EQ(squares(i, 0) == 0.0, i == 4) << d << ": " << i;
      EXPECT_EQ(squares(i, 1) == 0.0, i == 6) << d << ": " << i;
    }
  }
}

TEST(SquaredCovarianceDistances, AreTheSameBitsAtAnyThreadCount) {
  const std::vector<Matrix> sources = covariances(12, 40, 4);
  const RowMatrix alone = squared_covariance_distances(sources, sources, {.n_threads = 1});
  EXPECT_EQ(squared_covariance_distances(sources, sources, {.n_threads = 3}), alone);
}

TEST(SquaredCovarianceDistances, OfNoneAreNone) {
  EXPECT_EQ(squared_covariance_distances({}, {}).size(), 0);
  const std::vector<Matrix> sources = covariances(2, 5, 5);
  EXPECT_EQ(squared_covariance_distances(sources, {}).rows(), 5);
}

}  // namespace
}  // namespace lbw
