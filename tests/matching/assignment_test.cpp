// SPDX-License-Identifier: MIT
#include "matching/assignment.hpp"

#include <gtest/gtest.h>

#include <lbw/random.hpp>
#include <limits>
#include <vector>

#include "support/generators.hpp"

namespace lbw {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Weak duality: a feasible dual that touches every matched pair, and gives unmatched columns 0, is
// a proof that no matching is cheaper. Entries are a few units and potentials sums of hundreds of
// them at worst, so 1e-12 is some ten roundings.
void expect_certified(const RowMatrix& cost, const Assignment& assignment) {
  ASSERT_TRUE(assignment.blocked_rows.empty());
  std::vector<bool> taken(static_cast<std::size_t>(cost.cols()), false);
  for (Index row = 0; row < cost.rows(); ++row) {
    const Index matched = assignment.column_of_row.at(static_cast<std::size_t>(row));
    ASSERT_FALSE(taken.at(static_cast<std::size_t>(matched))) << "column taken twice";
    taken.at(static_cast<std::size_t>(matched)) = true;
    for (Index column = 0; column < cost.cols(); ++column) {
      const double reduced =
          cost(row, column) - assignment.row_potentials[row] - assignment.column_potentials[column];
      EXPECT_GE(reduced, -1e-12);
      EXPECT_LE(column == matched ? reduced : 0.0, 1e-12);
    }
  }
  for (Index column = 0; column < cost.cols(); ++column) {
    EXPECT_LE(assignment.column_potentials[column], 0.0);
    if (!taken[static_cast<std::size_t>(column)]) {
      EXPECT_EQ(assignment.column_potentials[column], 0.0);
    }
  }
}

TEST(Assignment, IsCertifiedOptimalByItsPotentials) {
  Random random(11);
  for (int round = 0; round < 20; ++round) {
    const auto rows = static_cast<Index>(1 + random.below(30));
    const auto columns = rows + static_cast<Index>(random.below(10));
    const RowMatrix cost = random_normal_matrix(rows, columns, random);
    expect_certified(cost, solve_assignment(cost));
  }
}

TEST(Assignment, OfThreeHundredIsCertifiedOptimal) {
  Random random(12);
  const RowMatrix cost = random_normal_matrix(300, 300, random);
  expect_certified(cost, solve_assignment(cost));
}

TEST(Assignment, WithManyTiesIsCertifiedOptimal) {
  Random random(13);
  RowMatrix cost(60, 80);
  for (double& value : cost.reshaped()) value = static_cast<double>(random.below(4));
  expect_certified(cost, solve_assignment(cost));
}

TEST(Assignment, AvoidsForbiddenPairsAndIsCertifiedOptimal) {
  Random random(14);
  RowMatrix cost = random_normal_matrix(50, 50, random);
  for (Index row = 0; row < 50; ++row) {
    for (Index column = 0; column < 50; ++column) {
      if (row != column && random.uniform() < 0.8) cost(row, column) = infinity;
    }
  }
  expect_certified(cost, solve_assignment(cost));
}

TEST(Assignment, NamesTheRowsThatAreTooManyForTheirColumns) {
  RowMatrix cost = RowMatrix::Zero(4, 4);
  for (const Index row : {0, 2, 3}) {
    cost(row, 0) = infinity;
    cost(row, 2) = infinity;
  }
  const Assignment assignment = solve_assignment(cost);
  EXPECT_EQ(assignment.blocked_rows, (std::vector<Index>{0, 2, 3}));
  EXPECT_EQ(assignment.n_columns_of_blocked_rows, 2);
}

}  // namespace
}  // namespace lbw
