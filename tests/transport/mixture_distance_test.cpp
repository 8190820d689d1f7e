// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>
#include <numeric>

#include "support/expect_error.hpp"
#include "support/mixtures.hpp"

namespace lbw {
namespace {

TEST(SquaredDistances, AreThoseOfTheComponents) {
  const Mixture first = random_mixture({.n_components = 3, .seed = 1});
  const Mixture second = random_mixture({.n_components = 4, .seed = 2});
  const RowMatrix distances = squared_distances(first, second);
  EXPECT_NEAR(distances(2, 3), squared_distance(first.component(2), second.component(3)), 1e-12);
  EXPECT_LT((squared_distances(second, first).transpose() - distances).norm(), 1e-12);
}

TEST(MixtureDistance, IsTheDistanceOfSingleGaussians) {
  const Mixture first = random_mixture({.n_components = 1, .n_features = 3, .seed = 3});
  const Mixture second = random_mixture({.n_components = 1, .n_features = 3, .seed = 4});
  EXPECT_NEAR(mixture_distance(first, second), distance(first.component(0), second.component(0)),
              1e-13);
}

TEST(MixtureDistance, IsThatOfTheBestPermutationUnderEqualWeights) {
  Mixture first = random_mixture({.n_components = 6, .seed = 5});
  Mixture second = random_mixture({.n_components = 6, .seed = 6});
  first.weights.setConstant(1.0 / 6.0);
  second.weights.setConstant(1.0 / 6.0);
  std::vector<int> permutation(6);
  std::iota(permutation.begin(), permutation.end(), 0);
  double least = std::numeric_limits<double>::infinity();
  do {
    double sum = 0.0;
    for (Index i = 0; i < 6; ++i) {
      sum += squared_distance(first.component(i),
                              second.component(permutation[static_cast<std::size_t>(i)]));
    }
    least = std::min(least, sum / 6.0);
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  EXPECT_NEAR(mixture_distance(first, second), std::sqrt(least), 1e-13);
}

TEST(MixtureDistance, IsAMetric) {
  for (const CovarianceType type : all_covariance_types) {
    std::vector<Mixture> mixtures;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      mixtures.push_back(random_mixture({.n_components = 2 + static_cast<Index>(seed),
                                         .covariance_type = type,
                                         .spread = 1.0,
                                         .seed = seed}));
    }
    for (const Mixture& a : mixtures) {
      EXPECT_EQ(mixture_distance(a, a), 0.0);
      for (const Mixture& b : mixtures) {
        EXPECT_NEAR(mixture_distance(a, b), mixture_distance(b, a), 1e-13);
        for (const Mixture& c : mixtures) {
          EXPECT_LE(mixture_distance(a, c),
                    mixture_distance(a, b) + mixture_distance(b, c) + 1e-13);
        }
      }
    }
  }
}

// A component that is split into two equal ones is the same distribution.
TEST(MixtureDistance, IsInvariantUnderSplittingAComponent) {
  const Mixture whole = random_mixture({.n_components = 3, .seed = 8});
  Mixture cut{whole.covariance_type, Vector(4), RowMatrix(4, 2), whole.covariances};
  cut.weights << 0.25 * whole.weights[0], whole.weights[1], whole.weights[2],
      0.75 * whole.weights[0];
  cut.means << whole.means, whole.means.row(0);
  cut.covariances.push_back(whole.covariances[0]);
  EXPECT_LT(mixture_distance(whole, cut), 1e-7);  // the root of rounding
  const Mixture other = random_mixture({.n_components = 5, .seed = 9});
  EXPECT_NEAR(mixture_distance(whole, other), mixture_distance(cut, other), 1e-13);
}

TEST(MixtureDistance, RefusesBadArguments) {
  const Mixture flat = random_mixture({});
  const Mixture deep = random_mixture({.n_features = 3});
  expect_error<InvalidArgument>(
      [&] { (void)mixture_distance(flat, deep); },
      "mixture_distance: first has 2 features and second 3, expected equal numbers");
  Mixture heavy = flat;
  heavy.weights.setConstant(1.0);
  expect_error<InvalidArgument>(
      [&] { (void)squared_distances(flat, heavy); },
      "squared_distances: second.weights sum to 3, expected 1 within 1e-9");
  expect_error<InvalidArgument>(
      [&] { (void)squared_distances(flat, flat, {-1}); },
      "squared_distances: n_threads is -1, expected 0 (one per core) or more");
}

}  // namespace
}  // namespace lbw
