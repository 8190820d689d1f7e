// SPDX-License-Identifier: MIT
#include "matching/transport_simplex.hpp"

#include <gtest/gtest.h>

#include <lbw/types.hpp>
#include <numeric>

namespace lbw {
namespace {

using Masses = std::vector<WholeMass>;

struct Problem {
  WholeCosts cost;
  Masses rows;
  Masses columns;
};

/// Small values of `largest_cost` and `largest_mass` produce ties.
Problem random_problem(Index n_rows, Index n_columns, std::uint64_t largest_cost,
                       std::uint64_t largest_mass, Random& random) {
  Problem problem{WholeCosts(n_rows, n_columns), Masses(static_cast<std::size_t>(n_rows)),
                  Masses(static_cast<std::size_t>(n_columns))};
  for (Index i = 0; i < problem.cost.size(); ++i) {
    problem.cost.data()[i] = static_cast<std::int64_t>(random.below(largest_cost + 1));
  }
  WholeMass surplus = 0;
  for (WholeMass& mass : problem.rows) surplus += mass = 1 + random.below(largest_mass);
  for (WholeMass& mass : problem.columns) surplus -= mass = 1 + random.below(largest_mass);
  (surplus < 0 ? problem.rows : problem.columns).front() += surplus < 0 ? -surplus : surplus;
  return problem;
}

std::vector<WholeEntry> solve_entries(const WholeCosts& cost, const Masses& rows,
                                      const Masses& columns) {
  return entries_of(solve_transport(cost, rows, columns), cost.rows());
}

/// Whether the sums of the plan are the required masses.
bool is_plan(const Problem& problem, const std::vector<WholeEntry>& plan) {
  Masses rows(problem.rows.size(), 0);
  Masses columns(problem.columns.size(), 0);
  for (const WholeEntry& entry : plan) {
    if (entry.mass <= 0) return false;
    rows[static_cast<std::size_t>(entry.row)] += entry.mass;
    columns[static_cast<std::size_t>(entry.column)] += entry.mass;
  }
  return rows == problem.rows && columns == problem.columns;
}

// Bellman-Ford: mass may move from a row to any column at its cost, and back where the plan has
// mass. A plan is optimal if and only if no such cycle has a negative length.
bool is_optimal(const Problem& problem, const std::vector<WholeEntry>& plan) {
  const Index n_rows = problem.cost.rows();
  const Index n_nodes = n_rows + problem.cost.cols();
  std::vector<std::int64_t> length(static_cast<std::size_t>(n_nodes), 0);
  const auto at = [&](Index node) -> std::int64_t& {
    return length[static_cast<std::size_t>(node)];
  };
  for (Index round = 0; round < n_nodes; ++round) {
    bool changed = false;
    const auto relax = [&](Index from, Index to, std::int64_t cost) {
      if (at(from) + cost >= at(to)) return;
      at(to) = at(from) + cost;
      changed = true;
    };
    for (Index row = 0; row < n_rows; ++row) {
      for (Index column = 0; column < problem.cost.cols(); ++column) {
        relax(row, n_rows + column, problem.cost(row, column));
      }
    }
    for (const WholeEntry& entry : plan) {
      relax(n_rows + entry.column, entry.row, -problem.cost(entry.row, entry.column));
    }
    if (!changed) return true;
  }
  return false;
}

TEST(TransportSimplex, ImprovesATreeOfCoarserCosts) {
  Random random(9);
  int improved = 0;
  for (int i = 0; i < 200; ++i) {
    const auto n_rows = static_cast<Index>(1 + random.below(12));
    const auto n_columns = static_cast<Index>(1 + random.below(12));
    const Problem problem = random_problem(n_rows, n_columns, 1'000'000, 1'000, random);
    const WholeCosts coarse = problem.cost / 100'000;
    WideCosts wide{n_rows, n_columns, {}};
    constexpr __int128 beyond_64_bits = __int128{1} << 80;
    for (Index j = 0; j < problem.cost.size(); ++j) {
      wide.values.push_back(problem.cost.data()[j] * beyond_64_bits);
    }
    const TransportTree start = solve_transport(coarse, problem.rows, problem.columns);
    const auto plan = entries_of(improve_transport(wide, start), n_rows);
    EXPECT_TRUE(is_plan(problem, plan));
    EXPECT_TRUE(is_optimal(problem, plan));
    improved += is_optimal(problem, entries_of(start, n_rows)) ? 0 : 1;
  }
  EXPECT_GT(improved, 50);
}

TEST(TransportSimplex, IsOptimalWhateverTies) {
  Random random(1);
  for (int i = 0; i < 600; ++i) {
    const auto n_rows = static_cast<Index>(1 + random.below(12));
    const auto n_columns = static_cast<Index>(1 + random.below(12));
    const std::uint64_t largest_cost = i % 3 == 0 ? 2 : i % 3 == 1 ? 10 : 1'000'000;
    const std::uint64_t largest_mass = i % 2 == 0 ? 1 + random.below(3) : 1'000'000;
    const Problem problem = random_problem(n_rows, n_columns, largest_cost, largest_mass, random);
    const std::vector<WholeEntry> plan = solve_entries(problem.cost, problem.rows, problem.columns);
    ASSERT_LE(std::ssize(plan), n_rows + n_columns - 1);
    ASSERT_TRUE(is_plan(problem, plan)) << i;
    ASSERT_TRUE(is_optimal(problem, plan)) << i;
  }
}

TEST(TransportSimplex, IsOptimalOnManyNodes) {
  Random random(2);
  for (const std::uint64_t largest_mass : {1U, 5U, 1'000'000U}) {
    const Problem problem = random_problem(90, 70, 1000, largest_mass, random);
    const std::vector<WholeEntry> plan = solve_entries(problem.cost, problem.rows, problem.columns);
    EXPECT_TRUE(is_plan(problem, plan));
    EXPECT_TRUE(is_optimal(problem, plan));
  }
}

TEST(TransportSimplex, TakesNumbersUpToItsLimits) {
  Random random(3);
  Problem problem = random_problem(20, 30, 1, 1, random);
  const std::int64_t largest_cost = std::int64_t{1} << most_cost_bits(20, 30);
  for (Index i = 0; i < problem.cost.size(); ++i) problem.cost.data()[i] *= largest_cost;
  const WholeMass largest_mass = WholeMass{1} << (most_mass_bits(20) - 5);  // 30 columns of 1
  for (WholeMass& mass : problem.rows) mass *= largest_mass;
  for (WholeMass& mass : problem.columns) mass *= largest_mass;
  const std::vector<WholeEntry> plan = solve_entries(problem.cost, problem.rows, problem.columns);
  EXPECT_TRUE(is_plan(problem, plan));
  for (Index i = 0; i < problem.cost.size(); ++i) problem.cost.data()[i] /= largest_cost;
  EXPECT_TRUE(is_optimal(problem, plan));
}

TEST(TransportSimplex, OneRowOrOneColumnHasOnePlan) {
  const WholeCosts row = WholeCosts::Constant(1, 3, 5);
  const std::vector<WholeEntry> plan = solve_entries(row, {6}, {1, 2, 3});
  EXPECT_EQ(plan.size(), 3U);
  EXPECT_TRUE(is_plan({row, {6}, {1, 2, 3}}, plan));
  const WholeCosts column = WholeCosts::Constant(2, 1, 5);
  EXPECT_TRUE(is_plan({column, {1, 2}, {3}}, solve_entries(column, {1, 2}, {3})));
}

}  // namespace
}  // namespace lbw
