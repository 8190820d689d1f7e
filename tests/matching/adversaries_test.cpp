// SPDX-License-Identifier: MIT
// Assignments and plans at the ends of double precision, compared with all solutions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/assignment.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <numeric>

#include "matching/glue_plans.hpp"
#include "matching/multimarginal.hpp"
#include "support/epsilon.hpp"
#include "support/expect_error.hpp"

namespace lbw {
namespace {

RowMatrix wild_costs(Index n_rows, Index n_columns, double digits, Random& random) {
  RowMatrix cost(n_rows, n_columns);
  for (Index i = 0; i < cost.size(); ++i) {
    cost.data()[i] = std::pow(10.0, digits * (2.0 * random.uniform() - 1.0));
  }
  return cost;
}

/// The costs of all matchings of a square matrix, ascending.
std::vector<long double> all_matchings(const RowMatrix& cost) {
  std::vector<Index> columns(static_cast<std::size_t>(cost.rows()));
  std::iota(columns.begin(), columns.end(), Index{0});
  std::vector<long double> costs;
  do {
    long double sum = 0.0L;
    for (Index i = 0; i < cost.rows(); ++i) sum += cost(i, columns[static_cast<std::size_t>(i)]);
    costs.push_back(sum);
  } while (std::next_permutation(columns.begin(), columns.end()));
  std::sort(costs.begin(), costs.end());
  return costs;
}

TEST(MatchAdversaries, AreOptimalForCostsOfAnyMagnitude) {
  Random random(1);
  for (const double digits : {0.0, 3.0, 20.0, 150.0, 300.0}) {
    for (int repeat = 0; repeat < 40; ++repeat) {
      const Index n = 2 + static_cast<Index>(random.below(4));
      const RowMatrix cost = wild_costs(n, n, digits, random);
      const std::vector<long double> costs = all_matchings(cost);
      const auto best = static_cast<double>(costs[0]);
      EXPECT_NEAR(match(cost).cost / best, 1.0, 10 * epsilon);
      const auto second = static_cast<double>(costs[1]);
      EXPECT_NEAR(runner_up(cost).gap / second, static_cast<double>(costs[1] - costs[0]) / second,
                  10 * epsilon);
    }
  }
}

/// Row i of the expanded matrix belongs to a unit of mass.
RowMatrix expanded(const RowMatrix& cost, const std::vector<int>& rows,
                   const std::vector<int>& columns) {
  const auto repeated = [](const std::vector<int>& counts) {
    std::vector<Index> places;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      places.insert(places.end(), static_cast<std::size_t>(counts[i]), static_cast<Index>(i));
    }
    return places;
  };
  return cost(repeated(rows), repeated(columns));
}

// With whole masses, the vertices of the plans of units are matchings.
TEST(PlanAdversaries, AreOptimalAndKeepMassesForCostsAndMassesOfAnyMagnitude) {
  Random random(2);
  const std::vector<int> rows{1, 2, 3};
  const std::vector<int> columns{4, 1, 1};
  for (const double digits : {0.0, 3.0, 20.0, 150.0}) {
    for (const int power : {-1000, -40, 0, 40, 400}) {
      const RowMatrix cost = wild_costs(3, 3, digits, random);
      const double unit = std::ldexp(1.0, power);
      const Vector row_masses = unit * Eigen::Vector3d(1.0, 2.0, 3.0);
      const Vector column_masses = unit * Eigen::Vector3d(4.0, 1.0, 1.0);
      const Plan plan = transport_plan(cost, row_masses, column_masses);
      const long double best = all_matchings(expanded(cost, rows, columns)).front();
      long double sum = 0.0L;
      Vector from = Vector::Zero(3);
      Vector to = Vector::Zero(3);
      for (const auto& [row, column, mass] : plan.entries) {
        sum += static_cast<long double>(mass / unit) * cost(row, column);
        from[row] += mass;
        to[column] += mass;
      }
      EXPECT_NEAR(static_cast<double>(sum / best), 1.0, 1e-12) << digits << " " << power;
      EXPECT_LT((from - row_masses).norm() + (to - column_masses).norm(), 10 * epsilon * unit);
    }
  }
}

// The smallest masses are 1e-300 of the largest: sums are those of the total up to rounding.
TEST(PlanAdversaries, KeepTheTotalOfMassesOfDifferentMagnitude) {
  Random random(3);
  for (const double digits : {10.0, 100.0, 150.0}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const RowMatrix cost = wild_costs(6, 5, 3.0, random);
      Vector rows = wild_costs(6, 1, digits, random).col(0);
      Vector columns = wild_costs(5, 1, digits, random).col(0);
      rows /= rows.sum();
      columns /= columns.sum();
      Vector from = Vector::Zero(6);
      Vector to = Vector::Zero(5);
      for (const auto& [row, column, mass] : transport_plan(cost, rows, columns).entries) {
        EXPECT_GT(mass, 0.0);
        from[row] += mass;
        to[column] += mass;
      }
      EXPECT_LT((from - rows).cwiseAbs().maxCoeff(), 1e-15);
      EXPECT_LT((to - columns).cwiseAbs().maxCoeff(), 1e-15);
    }
  }
}

// With equal masses of two components, the other groups either keep or swap their components.
TEST(MultimarginalAdversaries, IsOptimalForCostsOfAnyScaleAndKeepsMasses) {
  Random random(4);
  const std::vector<Vector> weights(3, Vector::Constant(2, 0.5));
  for (const int power : {-900, -300, 0, 300, 900}) {
    std::vector<RowMatrix> pairs;
    for (int i = 0; i < 9; ++i) pairs.push_back(wild_costs(2, 2, 2.0, random));
    const auto cost = [&](Index a, Index b) {
      return RowMatrix(std::ldexp(1.0, power) * pairs[static_cast<std::size_t>(3 * a + b)]);
    };
    const auto of_tuple = [&](int a, int b, int c) {
      return pairs[1](a, b) + pairs[2](a, c) + pairs[5](b, c);
    };
    double best = std::numeric_limits<double>::infinity();
    for (const int b : {0, 1}) {
      for (const int c : {0, 1}) {
        best = std::min(best, 0.5 * (of_tuple(0, b, c) + of_tuple(1, 1 - b, 1 - c)));
      }
    }
    const auto plan = multimarginal_plan(weights, cost, glue_plans(weights, 0, cost), 4e6);
    double sum = 0.0;
    std::vector<Vector> masses(3, Vector::Zero(2));
    for (const auto& [components, mass] : plan.tuples) {
      sum += mass * of_tuple(components[0], components[1], components[2]);
      for (std::size_t g = 0; g < 3; ++g) masses[g][components[g]] += mass;
    }
    EXPECT_NEAR(sum / best, 1.0, 1e-11) << power;
    for (const Vector& own : masses) EXPECT_LT((own - weights[0]).norm(), 1e-11);
  }
}

TEST(MatchAdversaries, RefuseSumsThatOverflow) {
  const RowMatrix huge{{1.7e308, -1.7e308}, {-1.7e308, 1.7e308}};
  const char* const sum = "match: the costs of the matching sum to infinity; scale the costs down";
  expect_error<NumericalError>([&] { (void)match(huge); }, sum);
  expect_error<NumericalError>([&] { (void)runner_up(huge); }, sum);
  const RowMatrix one_way{{0.0, 1.7e308}, {1.7e308, 0.0}};
  EXPECT_EQ(match(one_way).cost, 0.0);
  expect_error<NumericalError>(
      [&] { (void)runner_up(one_way); },
      "runner_up: the gap of two matchings overflows; scale the costs down");
  expect_error<NumericalError>(
      [&] { (void)transport_plan(huge, Vector::Ones(2), Vector::Ones(2)); },
      "transport_plan: the sum of mass times cost overflows; scale the costs or the masses down");
}

}  // namespace
}  // namespace lbw
