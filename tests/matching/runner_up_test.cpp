// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/assignment.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <map>
#include <numeric>

#include "matching/scan.hpp"
#include "support/expect_error.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

double cost_of(const RowMatrix& cost, const std::vector<int>& matching) {
  double sum = 0.0;
  for (std::size_t row = 0; row < matching.size(); ++row) {
    if (matching[row] >= 0) sum += cost(static_cast<Index>(row), matching[row]);
  }
  return sum;
}

/// Oracle: the finite costs of all complete matchings of rows <= columns, ascending.
std::vector<double> costs_of_all(const RowMatrix& cost) {
  std::vector<int> columns(static_cast<std::size_t>(cost.cols()));
  std::iota(columns.begin(), columns.end(), 0);
  std::map<std::vector<int>, double> all;
  do {
    const std::vector<int> matching(columns.begin(), columns.begin() + cost.rows());
    all[matching] = cost_of(cost, matching);
  } while (std::next_permutation(columns.begin(), columns.end()));
  std::vector<double> costs;
  for (const auto& [matching, sum] : all) {
    if (sum < infinity) costs.push_back(sum);
  }
  std::sort(costs.begin(), costs.end());
  return costs;
}

/// The runner-up is a different matching with the second lowest cost of all.
void expect_second_of_all(const RowMatrix& cost, double tolerance) {
  const bool transposed = cost.rows() > cost.cols();
  const std::vector<double> all = costs_of_all(transposed ? RowMatrix(cost.transpose()) : cost);
  const RunnerUp second = runner_up(cost);
  if (all.size() < 2) {
    EXPECT_EQ(second.gap, infinity);
    EXPECT_EQ(second.matching.size(), 0);
    return;
  }
  EXPECT_NEAR(second.gap, all[1] - all[0], tolerance);
  ASSERT_EQ(second.matching.size(), cost.rows());
  const Matching best = match(cost);
  EXPECT_NE(second.matching, best.matching);
  std::vector<int> columns;
  for (const int column : second.matching) {
    if (column >= 0) columns.push_back(column);
  }
  EXPECT_EQ(std::ssize(columns), std::min(cost.rows(), cost.cols()));
  EXPECT_NEAR(cost_of(cost, {second.matching.begin(), second.matching.end()}), all[1], tolerance);
  std::sort(columns.begin(), columns.end());
  EXPECT_EQ(std::adjacent_find(columns.begin(), columns.end()), columns.end());
}

TEST(RunnerUp, IsTheSecondOfAllPermutations) {
  Random random(1);
  for (Index n = 1; n <= 7; ++n) {
    for (int trial = 0; trial < (n == 7 ? 5 : 30); ++trial) {
      expect_second_of_all(random_normal_matrix(n, n, random), 1e-13);
    }
  }
}

TEST(RunnerUp, TakesColumnsAndRowsThatAreLeftOver) {
  Random random(2);
  for (const auto& [rows, columns] :
       std::vector<std::pair<Index, Index>>{{1, 3}, {2, 5}, {3, 4}, {4, 7}, {7, 4}, {5, 1}}) {
    for (int trial = 0; trial < 20; ++trial) {
      expect_second_of_all(random_normal_matrix(rows, columns, random), 1e-13);
    }
  }
}

TEST(RunnerUp, SeesTiesAndForbiddenPairs) {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    RowMatrix cost(5, 5 + trial % 2);
    for (double& value : cost.reshaped()) {
      value = random.uniform() < 0.3 ? infinity : static_cast<double>(random.below(4));
    }
    cost.diagonal().setConstant(2.0);  // so that a matching exists
    expect_second_of_all(cost, 0.0);
  }
}

TEST(RunnerUp, CostsNothingMoreWhereTheBestIsTied) {
  EXPECT_EQ(runner_up(RowMatrix::Constant(4, 4, 1.5)).gap, 0.0);
}

// Like match: of unmatched columns that are equally good, the lowest.
TEST(RunnerUp, TakesTheLowestOfTheCheapestColumnsThatAreLeftOver) {
  EXPECT_EQ(runner_up(RowMatrix{{0.0, 1.0, 1.0}}).matching, Labels::Constant(1, 1));
  EXPECT_EQ(runner_up(RowMatrix{{1.0, 0.0, 1.0}}).matching, Labels::Constant(1, 0));
}

TEST(RunnerUp, IsMissingWhereThereIsOneMatchingOnly) {
  EXPECT_EQ(runner_up(RowMatrix::Constant(1, 1, 3.0)).gap, infinity);
  RowMatrix triangle(3, 3);
  triangle << 1, infinity, infinity, 0, 1, infinity, 0, 0, 1;
  EXPECT_EQ(runner_up(triangle).gap, infinity);
}

TEST(RunnerUp, KeepsTheScaleOfTheCosts) {
  Random random(4);
  const RowMatrix cost = random_normal_matrix(6, 6, random);
  const double gap = runner_up(cost).gap;
  EXPECT_NEAR(runner_up(cost * 0x1p1000).gap, gap * 0x1p1000, gap * 0x1p1000 * 1e-12);
  EXPECT_NEAR(runner_up(cost * 0x1p-1000).gap, gap * 0x1p-1000, gap * 0x1p-1000 * 1e-12);
}

TEST(RunnerUp, RefusesWhatMatchRefuses) {
  expect_error<InvalidArgument>([] { (void)runner_up(RowMatrix(0, 0)); },
                                "match: cost is 0 x 0, expected at least one row and one column");
}

}  // namespace
}  // namespace lbw
