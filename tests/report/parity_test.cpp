// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/parity.hpp>
#include <limits>

#include "report/numpy_random.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The definition: the largest difference of the proportions of scores <= t, over all t.
double largest_difference(const std::vector<double>& scores, const std::vector<int>& groups) {
  double largest = 0.0;
  for (const double threshold : scores) {
    std::vector<double> shares;
    for (int g = 0; g <= std::ranges::max(groups); ++g) {
      double passed = 0.0;
      double all = 0.0;
      for (std::size_t i = 0; i < scores.size(); ++i) {
        all += groups[i] == g;
        passed += groups[i] == g && scores[i] <= threshold;
      }
      shares.push_back(passed / all);
    }
    const auto [least, most] = std::ranges::minmax(shares);
    largest = std::max(largest, most - least);
  }
  return largest;
}

TEST(Parity, GammaIsTheLargestDifferenceOfProportions) {
  NumpyRandom random(3);
  for (const int n_values : {2, 7, 1000}) {
    std::vector<double> scores;
    std::vector<int> groups;
    for (int i = 0; i < 60; ++i) {
      groups.push_back(i % 3);
      scores.push_back(static_cast<double>(random.up_to(static_cast<unsigned>(n_values))) + i % 2);
    }
    EXPECT_NEAR(demographic_parity_gamma(scores, groups).value, largest_difference(scores, groups),
                1e-15);
  }
}

TEST(Parity, KuiperAlsoFindsGroupsOfDifferentSpread) {
  const std::vector<double> scores = {-2, -1, 1, 2, -4, -3, 3, 4};
  const std::vector<int> groups = {0, 0, 0, 0, 1, 1, 1, 1};
  EXPECT_EQ(demographic_parity_gamma(scores, groups).value, 0.5);
  EXPECT_EQ(demographic_parity_gamma(scores, groups, {.kind = ParityKind::kuiper}).value, 1.0);
}

TEST(Parity, ScoresThatDifferByRoundingAreEqual) {
  const std::vector<int> groups = {0, 0, 1, 1};
  const std::vector<double> rounded = {1.0, infinity, 1.0 + 1e-13, infinity};
  EXPECT_EQ(demographic_parity_gamma(rounded, groups).value, 0.0);
  const std::vector<double> different = {1.0, -infinity, 1.0 + 1e-11, -infinity};
  EXPECT_EQ(demographic_parity_gamma(different, groups).value, 0.5);
}

TEST(Parity, GroupsThatDoNotOverlapAreBeyondNoise) {
  std::vector<double> scores;
  std::vector<int> groups;
  for (int i = 0; i < 200; ++i) {
    scores.push_back(i);
    groups.push_back(i / 100);
  }
  const Parity gamma = demographic_parity_gamma(scores, groups);
  EXPECT_EQ(gamma.value, 1.0);
  EXPECT_EQ(gamma.null->p_value, 1.0 / 201.0);
  EXPECT_LT(gamma.null->quantile, 0.3);
  EXPECT_GT(gamma.interval->low, 0.8);
  EXPECT_EQ(gamma.interval->high, 1.0);
  const Parity means = mean_difference(scores, groups);
  EXPECT_EQ(means.value, 100.0);
  EXPECT_EQ(means.null->p_value, 1.0 / 201.0);
  EXPECT_FALSE(means.interval);
}

TEST(Parity, RefusesBadInput) {
  const std::vector<double> scores = {1.0, 2.0};
  const auto gamma = [&](const std::vector<double>& s, const std::vector<int>& g,
                         const ParityOptions& options = {}) {
    return [=] { (void)demographic_parity_gamma(s, g, options); };
  };
  expect_error<InvalidArgument>(gamma(scores, {0}),
                                "demographic_parity_gamma: groups has 1 entry for 2 scores");
  expect_error<InvalidArgument>(gamma(scores, {0, 0}),
                                "demographic_parity_gamma: there is 1 group, expected two or more");
  expect_error<InvalidArgument>(gamma({1.0, std::nan("")}, {0, 1}),
                                "demographic_parity_gamma: scores is NaN at row 1");
  expect_error<InvalidArgument>(
      gamma(scores, {0, 1}, {.confidence = 1.0}),
      "demographic_parity_gamma: confidence is 1, expected between 0 and 1");
}

TEST(NumpyRandom, DrawsThePermutationsOfNumPy) {
  // numpy.random.RandomState(0).permutation(10) and RandomState(0).randint(2**31, size=2)
  EXPECT_EQ(NumpyRandom(0).permutation(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
            (std::vector<int>{2, 8, 4, 9, 1, 6, 7, 3, 0, 5}));
  NumpyRandom random(0);
  EXPECT_EQ(random.up_to(0x7FFFFFFF), 209652396U);
  EXPECT_EQ(random.up_to(0x7FFFFFFF), 398764591U);
  EXPECT_EQ(random.up_to(0), 0U);
}

}  // namespace
}  // namespace lbw
