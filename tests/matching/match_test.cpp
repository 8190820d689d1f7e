// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <lbw/assignment.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <numeric>
#include <vector>

#include "matching/scan.hpp"
#include "support/expect_error.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

RowMatrix random_integer_cost(Index rows, Index columns, std::uint64_t bound, Random& random) {
  RowMatrix cost(rows, columns);
  for (double& value : cost.reshaped()) value = static_cast<double>(random.below(bound));
  return cost;
}

// Oracle: the minimum over all injective maps from the smaller side.
double least_cost_of_all(const RowMatrix& cost) {
  if (cost.rows() > cost.cols()) return least_cost_of_all(cost.transpose());
  std::vector<Index> columns(static_cast<std::size_t>(cost.cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  double least = infinity;
  do {
    double sum = 0.0;
    for (Index row = 0; row < cost.rows(); ++row) {
      sum += cost(row, columns[static_cast<std::size_t>(row)]);
    }
    least = std::min(least, sum);
  } while (std::next_permutation(columns.begin(), columns.end()));
  return least;
}

// One-to-one, complete on the smaller side, and the cost is that of its pairs.
void expect_valid(const RowMatrix& cost, const Matching& result) {
  ASSERT_EQ(result.matching.size(), cost.rows());
  std::vector<bool> taken(static_cast<std::size_t>(cost.cols()), false);
  Index matched = 0;
  double sum = 0.0;
  for (Index row = 0; row < cost.rows(); ++row) {
    const int column = result.matching[row];
    if (column == -1) continue;
    ASSERT_GE(column, 0);
    ASSERT_LT(column, cost.cols());
    ASSERT_FALSE(taken[static_cast<std::size_t>(column)]);
    taken[static_cast<std::size_t>(column)] = true;
    sum += cost(row, column);
    ++matched;
  }
  EXPECT_EQ(matched, std::min(cost.rows(), cost.cols()));
  EXPECT_EQ(result.cost, sum);
}

TEST(Match, FindsTheLeastCostOfAllPermutations) {
  Random random(1);
  for (Index rows = 1; rows <= 7; ++rows) {
    for (Index columns = 1; columns <= 7; ++columns) {
      for (int round = 0; round < 3; ++round) {
        const RowMatrix cost = random_normal_matrix(rows, columns, random);
        const Matching result = match(cost);
        expect_valid(cost, result);
        // sums of at most 7 numbers of a few units, in two orders
        EXPECT_NEAR(result.cost, least_cost_of_all(cost), 1e-13);
      }
    }
  }
}

TEST(Match, FindsTheLeastCostExactlyAmongTies) {
  Random random(2);
  for (int round = 0; round < 60; ++round) {
    const auto rows = static_cast<Index>(1 + random.below(6));
    const auto columns = static_cast<Index>(1 + random.below(6));
    const RowMatrix cost = random_integer_cost(rows, columns, 4, random);
    const Matching result = match(cost);
    expect_valid(cost, result);
    EXPECT_EQ(result.cost, least_cost_of_all(cost));
  }
}

TEST(Match, AvoidsForbiddenPairsAtTheLeastCost) {
  Random random(3);
  int n_feasible = 0;
  for (int round = 0; round < 100; ++round) {
    RowMatrix cost = random_integer_cost(5, 5, 50, random);
    for (double& value : cost.reshaped()) value = random.uniform() < 0.5 ? infinity : value;
    const double least = least_cost_of_all(cost);
    if (least == infinity) {
      EXPECT_THROW((void)match(cost), NumericalError);
      continue;
    }
    ++n_feasible;
    EXPECT_EQ(match(cost).cost, least);
  }
  // the random matrices must include both kinds
  EXPECT_GT(n_feasible, 10);
  EXPECT_LT(n_feasible, 90);
}

TEST(Match, IsTheIdentityWhereAllCostsAreEqual) {
  EXPECT_EQ(match(RowMatrix::Constant(4, 4, 2.5)).matching, (Labels(4) << 0, 1, 2, 3).finished());
  EXPECT_EQ(match(RowMatrix::Zero(3, 5)).matching, (Labels(3) << 0, 1, 2).finished());
  EXPECT_EQ(match(RowMatrix::Zero(4, 2)).matching, (Labels(4) << 0, 1, -1, -1).finished());
}

TEST(Match, OfOneRowTakesTheLowestOfTheCheapestColumns) {
  const RowMatrix cost = (RowMatrix(1, 5) << 3, 1, 2, 1, 1).finished();
  EXPECT_EQ(match(cost).matching[0], 1);
  EXPECT_EQ(match(cost.transpose()).matching, (Labels(5) << -1, 0, -1, -1, -1).finished());
}

TEST(Match, RepeatsToTheLastBit) {
  Random random(4);
  const RowMatrix cost = random_integer_cost(40, 40, 3, random);
  const Matching first = match(cost);
  // the result must not depend on memory location and stride
  RowMatrix larger = RowMatrix::Constant(41, 47, -7.0);
  larger.block(1, 3, 40, 40) = cost;
  const Matching second = match(larger.block(1, 3, 40, 40));
  EXPECT_EQ(first.matching, second.matching);
  EXPECT_EQ(first.cost, second.cost);
}

TEST(Match, IsInvariantUnderAConstantAddedToARowOrColumn) {
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    const RowMatrix cost = random_integer_cost(8, 8, 1000, random);
    RowMatrix shifted = cost;
    shifted.row(3).array() += 512.0;
    shifted.col(6).array() -= 2048.0;
    // integers: every sum is exact
    EXPECT_EQ(match(shifted).cost, match(cost).cost + 512.0 - 2048.0);
  }
}

TEST(Match, CostIsInvariantUnderPermutedRowsAndColumns) {
  Random random(6);
  const RowMatrix cost = random_integer_cost(9, 12, 20, random);
  const RowMatrix permuted = cost.colwise().reverse().rowwise().reverse();
  EXPECT_EQ(match(permuted).cost, match(cost).cost);
  EXPECT_EQ(match(cost.transpose()).cost, match(cost).cost);
}

TEST(Match, PermutesWithItsRowsWhereTheAnswerIsUnique) {
  Random random(7);
  const RowMatrix cost = random_normal_matrix(9, 9, random);
  const RowMatrix reversed = cost.colwise().reverse();
  EXPECT_EQ(match(reversed).matching, Labels(match(cost).matching.reverse()));
}

TEST(Match, SurvivesHugeAndTinyCosts) {
  Random random(8);
  const RowMatrix cost = random_integer_cost(6, 6, 1000, random) + RowMatrix::Ones(6, 6);
  const Matching expected = match(cost);
  // powers of two: every sum scales exactly
  for (const double scale : {0x1p-1000, 0x1p-300, 0x1p300, 0x1p1000}) {
    const Matching result = match(RowMatrix(cost * scale));
    EXPECT_EQ(result.matching, expected.matching) << scale;
    EXPECT_EQ(result.cost, expected.cost * scale) << scale;
    EXPECT_EQ(match(RowMatrix(-scale * cost)).cost, match(RowMatrix(-cost)).cost * scale) << scale;
  }
}

// The solver gets a transposed copy, divided by the same power of two as a square matrix.
TEST(Match, SurvivesHugeCostsOfMoreRowsThanColumns) {
  Random random(9);
  const RowMatrix cost = random_integer_cost(7, 4, 1000, random) + RowMatrix::Ones(7, 4);
  const Matching expected = match(cost);
  const Matching result = match(RowMatrix(cost * 0x1p1000));
  EXPECT_EQ(result.matching, expected.matching);
  EXPECT_EQ(result.cost, expected.cost * 0x1p1000);
}

TEST(Match, AddsHugeCostsOfBothSignsWithoutOverflow) {
  const double huge = 1.5e308;
  RowMatrix cost(3, 3);
  cost << huge, infinity, infinity, infinity, huge, infinity, infinity, infinity, -huge;
  const Matching result = match(cost);
  EXPECT_EQ(result.cost, huge);
  EXPECT_EQ(result.matching, (Labels(3) << 0, 1, 2).finished());
}

TEST(Match, RefusesAnEmptyMatrix) {
  expect_error<InvalidArgument>([] { (void)match(RowMatrix(0, 3)); },
                                "match: cost is 0 x 3, expected at least one row and one column");
  expect_error<InvalidArgument>([] { (void)match(RowMatrix(2, 0)); },
                                "match: cost is 2 x 0, expected at least one row and one column");
}

TEST(Match, RefusesNanAndMinusInfinityWithTheirPlace) {
  RowMatrix cost = RowMatrix::Zero(2, 3);
  cost(1, 2) = std::numeric_limits<double>::quiet_NaN();
  expect_error<InvalidArgument>(
      [&] { (void)match(cost); },
      "match: cost(1, 2) is nan, expected a number or +infinity for a forbidden pair");
  cost(0, 1) = -infinity;
  expect_error<InvalidArgument>(
      [&] { (void)match(cost); },
      "match: cost(0, 1) is -infinity, expected a number or +infinity for a forbidden pair");
}

TEST(Match, SaysWhichRowsCannotBeMatched) {
  RowMatrix cost = RowMatrix::Zero(3, 3);
  cost.row(1).setConstant(infinity);
  expect_error<NumericalError>([&] { (void)match(cost); },
                               "match: cost allows only 0 columns for 1 row (1), so there is no "
                               "complete matching; allow more of these pairs");
  cost.row(1) << 0.0, infinity, infinity;
  cost.row(2) << 0.0, infinity, infinity;
  expect_error<NumericalError>([&] { (void)match(cost); },
                               "match: cost allows only 1 column for 2 rows (1, 2), so there is no "
                               "complete matching; allow more of these pairs");
}

TEST(Match, SaysWhichColumnsCannotBeMatchedWhereRowsAreMore) {
  RowMatrix cost = RowMatrix::Zero(4, 3);
  cost.bottomRightCorner(3, 2).setConstant(infinity);
  expect_error<NumericalError>([&] { (void)match(cost); },
                               "match: cost allows only 1 row for 2 columns (1, 2), so there is no "
                               "complete matching; allow more of these pairs");
}

TEST(Match, ShortensALongListOfRows) {
  RowMatrix cost = RowMatrix::Constant(10, 10, infinity);
  cost.leftCols(9).setZero();
  expect_error<NumericalError>(
      [&] { (void)match(cost); },
      "match: cost allows only 9 columns for 10 rows (0, 1, 2, 3, 4, 5, 6, 7 and 2 more), so there "
      "is no complete matching; allow more of these pairs");
}

}  // namespace
}  // namespace lbw
