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

// Three scores within rounding of their neighbours are one, although the outer ones are not. Many
// of them are cut, or all scores could become equal.
TEST(Parity, ChainsOfEqualScoresAreShort) {
  for (const double sign : {1.0, -1.0}) {
    const std::vector<double> three = {sign * 100.0, sign * 100.9, sign * 101.8, sign * 100.0};
    EXPECT_EQ(demographic_parity_gamma(three, {{0, 0, 1, 1}}, {.rounding = 0.01}).value, 0.0);
    std::vector<double> many;
    std::vector<int> groups;
    for (int i = 0; i < 100; ++i) {
      many.push_back(sign * (100.0 + 0.9 * i));
      groups.push_back(i / 50);
    }
    EXPECT_GT(demographic_parity_gamma(many, groups, {.rounding = 0.01}).value, 0.9) << sign;
  }
}

// numpy.quantile interpolates linearly between the values at floor(0.95 * 199) and the next one.
TEST(Parity, NullDescribesTheDistancesOfThePermutationsOfNumPy) {
  const std::vector<double> scores = {0.3, 1.7, 2.9, 3.1, 4.2, 5.5, 5.9, 7.3, 8.8, 9.6};
  const std::vector<int> groups = {0, 0, 0, 1, 0, 1, 0, 1, 1, 1};
  const auto difference = [&](const std::vector<int>& labels) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 10; ++i) sum += labels[i] == 0 ? scores[i] : -scores[i];
    return std::abs(sum / 5.0);
  };
  NumpyRandom seeds(0);
  NumpyRandom random(seeds.up_to(0x7FFFFFFF));
  std::vector<double> permuted;
  double mean = 0.0;
  double n_reached = 0.0;
  for (int i = 0; i < 200; ++i) {
    permuted.push_back(difference(random.permutation(groups)));
    mean += permuted.back() / 200.0;
    n_reached += permuted.back() >= difference(groups) - 1e-12 ? 1.0 : 0.0;
  }
  std::ranges::sort(permuted);
  const ParityNull null = *mean_difference(scores, groups).null;
  EXPECT_NEAR(null.mean, mean, 1e-13);
  EXPECT_NEAR(null.quantile, 0.95 * permuted[189] + 0.05 * permuted[190], 1e-13);
  EXPECT_EQ(null.p_value, (1.0 + n_reached) / 201.0);
  EXPECT_GT(permuted[190], permuted[189] + 0.001) << "the interpolation has to be seen";
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
  expect_error<InvalidArgument>(gamma({std::nan(""), 1.0}, {0, 1}),
                                "demographic_parity_gamma: scores is NaN at row 0");
  expect_error<InvalidArgument>(
      gamma(scores, {0, 1}, {.confidence = 1.0}),
      "demographic_parity_gamma: confidence is 1, expected between 0 and 1");
  expect_error<InvalidArgument>(
      [] {
        (void)mean_difference(std::vector{infinity, 1.0}, std::vector{0, 1});
      },
      "mean_difference: scores is inf at row 0, expected finite values");
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
