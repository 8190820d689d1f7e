// SPDX-License-Identifier: MIT
#include "linalg/lane_maps.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "linalg/regular_map.hpp"
#include "support/gaussian_oracles.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

struct LaneBatch {
  std::vector<Matrix> sources;
  std::vector<Matrix> targets;
  std::vector<Matrix> maps;
  std::vector<LanePair> pairs;

  void compute() {
    maps = sources;
    pairs.clear();
    for (std::size_t i = 0; i < sources.size(); ++i) {
      pairs.push_back({sources[i].data(), targets[i].data(), maps[i].data()});
    }
    lane_maps(pairs, sources.front().rows());
  }
};

LaneBatch random_batch(Index d, int count, std::uint64_t seed) {
  LaneBatch batch;
  for (const GaussianPair& pair :
       random_gaussian_pairs({.dimension = d, .count = count, .seed = seed})) {
    batch.sources.push_back(pair.source.covariance);
    batch.targets.push_back(pair.target.covariance);
  }
  return batch;
}

// Conditions up to 30 each: some ten roundings.
TEST(LaneMaps, AreEquationThree) {
  for (Index d = fewest_lane_features; d <= most_lane_features; ++d) {
    LaneBatch batch = random_batch(d, 19, static_cast<std::uint64_t>(d));
    batch.compute();
    for (std::size_t i = 0; i < batch.maps.size(); ++i) {
      ASSERT_TRUE(batch.pairs[i].is_computed) << d;
      const Matrix& map = batch.maps[i];
      EXPECT_LT(relative_error(map, oracle::map_matrix(batch.sources[i], batch.targets[i])), 1e-13);
      EXPECT_LT(relative_error(map * batch.sources[i] * map, batch.targets[i]), 1e-13);
      EXPECT_EQ(map, Matrix(map.transpose()));
    }
  }
}

// A pair may be in any lane, next to any others, or alone.
TEST(LaneMaps, DoNotDependOnTheOtherPairs) {
  for (const Index d : {2, 3, 7, 10}) {
    LaneBatch all = random_batch(d, 21, 3);
    all.compute();
    for (std::size_t first : {0U, 1U, 5U, 20U}) {
      LaneBatch part;
      part.sources.assign(all.sources.begin() + static_cast<Index>(first), all.sources.end());
      part.targets.assign(all.targets.begin() + static_cast<Index>(first), all.targets.end());
      part.compute();
      for (std::size_t i = 0; i < part.maps.size(); ++i) {
        EXPECT_EQ(part.maps[i], all.maps[first + i]);
      }
    }
    RegularMap single;
    for (std::size_t i = 0; i < all.maps.size(); ++i) {
      ASSERT_TRUE(single.compute(all.sources[i], all.targets[i]));
      EXPECT_EQ(single.matrix(), all.maps[i]);
    }
  }
}

TEST(LaneMaps, LeaveOutWhatMustBeCheckedOrIsSingularAndNothingElse) {
  Random random(4);
  for (const Index d : {2, 4, 9}) {
    const LaneBatch good = random_batch(d, 20, 5);
    LaneBatch expected = good;
    expected.compute();
    const Matrix& some = good.sources[7];
    std::vector<Matrix> bad = {Matrix::Zero(d, d),
                               -some,
                               1e-70 * some,
                               1e70 * some,
                               Matrix::Constant(d, d, 1.0),
                               some - 4.0 * Matrix::Identity(d, d),
                               random_covariance(graded_eigenvalues(d, 1e14), random)};
    for (const double value : {std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity(), some(0, 1) + 1e-6}) {
      bad.push_back(some);
      bad.back()(0, 1) = value;
      bad.push_back(some);
      bad.back()(0, 0) = value;
    }
    bad.back() = some;
    bad.back()(1, 1) = -1.0;
    for (const Matrix& matrix : bad) {
      LaneBatch batch = good;
      batch.sources[7] = matrix;
      batch.targets[12] = matrix;
      batch.compute();
      for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
        EXPECT_EQ(batch.pairs[i].is_computed, i != 7 && i != 12) << matrix;
        if (i != 7 && i != 12) {
          EXPECT_EQ(batch.maps[i], expected.maps[i]);
        }
      }
    }
  }
}

// As in RegularMap: up to 1e5 roundings at its limit, and the oracle is accurate up to 1e4.
TEST(LaneMaps, AreAccurateWhereverTheyAreComputed) {
  Random random(6);
  for (const Index d : {3, 4, 10, 20}) {
    LaneBatch batch;
    for (const double condition : {1.0, 30.0, 1e3, 1e4, 1e12}) {
      for (int round = 0; round < 5; ++round) {
        batch.sources.push_back(random_covariance(graded_eigenvalues(d, condition), random));
        batch.targets.push_back(random_covariance(graded_eigenvalues(d, condition), random));
      }
    }
    batch.compute();
    int n_computed = 0;
    for (std::size_t i = 0; i < batch.maps.size(); ++i) {
      if (!batch.pairs[i].is_computed) continue;
      ++n_computed;
      EXPECT_LT(
          relative_error(batch.maps[i], oracle::map_matrix(batch.sources[i], batch.targets[i])),
          2e-11);
    }
    EXPECT_GE(n_computed, 8);
    EXPECT_LT(n_computed, 25);
  }
}

TEST(LaneMaps, OfNoPairsAreNone) { lane_maps({}, 3); }

}  // namespace
}  // namespace lbw
