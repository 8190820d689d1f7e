// SPDX-License-Identifier: MIT
#include "matching/assignment.hpp"
#include "matching/scan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <lbw/types.hpp>
#include <limits>
#include <vector>

#include "support/assignment_oracle.hpp"
#include "support/each_instruction_set.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

double cost_of(const RowMatrix& cost, const Assignment& assignment) {
  double sum = 0.0;
  for (Index row = 0; row < cost.rows(); ++row) {
    sum += cost(row, assignment.column_of_row.at(static_cast<std::size_t>(row)));
  }
  return sum;
}

// Weak duality: feasible potentials that are tight on every matched pair and 0 on unmatched columns
// prove that no matching is cheaper. Entries are a few units and potentials are sums of at most
// hundreds of them, so 1e-12 is about ten roundings.
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

RowMatrix random_integers(Index rows, Index columns, std::uint64_t bound, Random& random) {
  RowMatrix cost(rows, columns);
  for (double& value : cost.reshaped()) value = static_cast<double>(random.below(bound));
  return cost;
}

TEST(Assignment, CostsWhatThePlainSolverFinds) {
  Random random(15);
  for (const Index rows : {1, 2, 7, 30, 100, 300}) {
    for (const Index more : {0, 1, 40}) {
      for (const std::uint64_t bound : {2U, 10U, 1000U, 1000000U}) {
        const RowMatrix cost = random_integers(rows, rows + more, bound, random);
        // integers: every sum is exact
        EXPECT_EQ(cost_of(cost, solve_assignment(cost)),
                  cost_of(cost, oracle::solve_assignment(cost)));
      }
    }
  }
}

TEST(Assignment, IsThatOfThePlainSolverWhereItIsUnique) {
  Random random(16);
  for (const Index rows : {5, 50, 300}) {
    for (const Index more : {0, 20}) {
      const RowMatrix cost = random_normal_matrix(rows, rows + more, random);
      EXPECT_EQ(solve_assignment(cost).column_of_row, oracle::solve_assignment(cost).column_of_row);
    }
  }
}

// Distances between means, the intended use.
TEST(Assignment, OfSquaredDistancesIsThatOfThePlainSolver) {
  Random random(17);
  const Matrix from = random_normal_matrix(250, 10, random);
  const Matrix to = random_normal_matrix(250, 10, random);
  RowMatrix cost(250, 250);
  for (Index i = 0; i < 250; ++i) {
    cost.row(i) = (to.rowwise() - from.row(i)).rowwise().squaredNorm().transpose();
  }
  expect_certified(cost, solve_assignment(cost));
  EXPECT_EQ(solve_assignment(cost).column_of_row, oracle::solve_assignment(cost).column_of_row);
}

TEST(Assignment, IsPossibleExactlyWhereThePlainSolverFindsIt) {
  Random random(18);
  int n_possible = 0;
  for (int round = 0; round < 200; ++round) {
    const auto rows = static_cast<Index>(1 + random.below(40));
    const auto more = static_cast<Index>(round % 2 == 0 ? 0 : random.below(5));
    RowMatrix cost = random_integers(rows, rows + more, 100, random);
    // about log(n) / n allowed pairs: half of these have a complete matching
    const double allowed = std::log(static_cast<double>(rows) + 1.0) / static_cast<double>(rows);
    for (double& value : cost.reshaped()) value = random.uniform() < allowed ? value : infinity;
    const Assignment assignment = solve_assignment(cost);
    const Assignment expected = oracle::solve_assignment(cost);
    ASSERT_EQ(assignment.blocked_rows.empty(), expected.blocked_rows.empty());
    if (!assignment.blocked_rows.empty()) continue;
    ++n_possible;
    EXPECT_EQ(cost_of(cost, assignment), cost_of(cost, expected));
  }
  EXPECT_GT(n_possible, 20);
  EXPECT_LT(n_possible, 180);
}

TEST(Assignment, HandlesRowsAndColumnsOfVeryDifferentSize) {
  Random random(19);
  for (const Index more : {0, 30}) {
    // powers of two times integers: every sum is exact
    RowMatrix cost = random_integers(120, 120 + more, 64, random);
    for (Index row = 0; row < 120; ++row)
      cost.row(row) *= std::ldexp(1.0, static_cast<int>(row % 40));
    EXPECT_EQ(cost_of(cost, solve_assignment(cost)), cost_of(cost, oracle::solve_assignment(cost)));
    // small numbers are exact to the rounding of the large ones
    for (double& value : cost.reshaped()) value *= std::exp2(20.0 * random.normal());
    const double expected = cost_of(cost, oracle::solve_assignment(cost));
    EXPECT_NEAR(cost_of(cost, solve_assignment(cost)), expected, 1e-12 * expected);
  }
}

TEST(Assignment, IsTheSameOnEveryInstructionSet) {
  Random random(20);
  const RowMatrix square = random_normal_matrix(131, 131, random);
  const RowMatrix tied = random_integers(77, 93, 3, random);
  const Assignment of_square = solve_assignment(square);
  const Assignment of_tied = solve_assignment(tied);
  for_each_instruction_set([&] {
    EXPECT_EQ(solve_assignment(square).column_of_row, of_square.column_of_row);
    EXPECT_EQ(solve_assignment(square).column_potentials, of_square.column_potentials);
    EXPECT_EQ(solve_assignment(tied).column_of_row, of_tied.column_of_row);
    EXPECT_EQ(solve_assignment(tied).column_potentials, of_tied.column_potentials);
  });
}

// Hall's theorem: together, the named rows allow fewer columns than there are rows.
TEST(Assignment, NamesRowsThatAreTooManyForTheirColumns) {
  Random random(21);
  for (int round = 0; round < 50; ++round) {
    RowMatrix cost = random_integers(20, 22, 100, random);
    for (double& value : cost.reshaped()) value = random.uniform() < 0.12 ? value : infinity;
    const Assignment assignment = solve_assignment(cost);
    if (assignment.blocked_rows.empty()) continue;
    Index n_columns = 0;
    for (Index column = 0; column < cost.cols(); ++column) {
      bool allowed = false;
      for (const Index row : assignment.blocked_rows) allowed |= cost(row, column) < infinity;
      n_columns += allowed ? 1 : 0;
    }
    EXPECT_EQ(n_columns, assignment.n_columns_of_blocked_rows);
    EXPECT_LT(n_columns, std::ssize(assignment.blocked_rows));
  }
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
