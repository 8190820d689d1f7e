// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <lbw/assignment.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <numeric>

#include "support/expect_error.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

RowMatrix random_costs(Index rows, Index columns, Random& random) {
  return random_normal_matrix(rows, columns, random);
}

Vector random_masses(Index size, Random& random) {
  Vector masses(size);
  for (double& mass : masses) mass = random.uniform() + 0.01;
  return masses / masses.sum();
}

Vector row_sums(const Plan& plan, Index size) {
  Vector sums = Vector::Zero(size);
  for (const PlanEntry& entry : plan.entries) sums[entry.row] += entry.mass;
  return sums;
}

Vector column_sums(const Plan& plan, Index size) {
  Vector sums = Vector::Zero(size);
  for (const PlanEntry& entry : plan.entries) sums[entry.column] += entry.mass;
  return sums;
}

bool is_sorted_by_row_then_column(const Plan& plan) {
  return std::is_sorted(
      plan.entries.begin(), plan.entries.end(), [](const PlanEntry& left, const PlanEntry& right) {
        return std::pair(left.row, left.column) < std::pair(right.row, right.column);
      });
}

/// The minimal cost over all matchings of the units of the rows to the units of the columns.
double least_cost_by_units(const RowMatrix& cost, const std::vector<int>& rows,
                           const std::vector<int>& columns) {
  std::vector<int> row_units;
  std::vector<int> column_units;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    row_units.insert(row_units.end(), static_cast<std::size_t>(rows[i]), static_cast<int>(i));
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    column_units.insert(column_units.end(), static_cast<std::size_t>(columns[j]),
                        static_cast<int>(j));
  }
  double least = std::numeric_limits<double>::infinity();
  do {
    double sum = 0.0;
    for (std::size_t i = 0; i < row_units.size(); ++i) sum += cost(row_units[i], column_units[i]);
    least = std::min(least, sum);
  } while (std::next_permutation(column_units.begin(), column_units.end()));
  return least;
}

Vector vector_of(const std::vector<int>& numbers) {
  Vector values(std::ssize(numbers));
  std::copy(numbers.begin(), numbers.end(), values.begin());
  return values;
}

/// Squared distances between random points of the unit square, with one more point on each side
/// that is far from all others and close to its partner.
RowMatrix costs_with_a_far_pair(Index n_near, double far, Random& random) {
  RowMatrix from(n_near + 1, 2);
  RowMatrix to(n_near + 1, 2);
  for (RowMatrix* points : {&from, &to}) {
    for (Index i = 0; i < points->size(); ++i) points->data()[i] = random.uniform();
    points->row(n_near) << far, 0.0;
  }
  RowMatrix cost(n_near + 1, n_near + 1);
  for (Index i = 0; i <= n_near; ++i) {
    for (Index j = 0; j <= n_near; ++j) cost(i, j) = (from.row(i) - to.row(j)).squaredNorm();
  }
  return cost;
}

TEST(TransportPlan, IsOptimalWhereOnePairIsFarAway) {
  Random random(11);
  for (const double far : {1e6, 1e8, 1e10, 1e15, 1e60, 1e150}) {
    for (int repeat = 0; repeat < 5; ++repeat) {
      const RowMatrix cost = costs_with_a_far_pair(4, far, random);
      const std::vector<int> rows = {1, 2, 1, 2, 1};
      const std::vector<int> columns = {2, 1, 1, 2, 1};
      const double least = least_cost_by_units(cost, rows, columns);
      EXPECT_NEAR(transport_plan(cost, vector_of(rows), vector_of(columns)).cost / least, 1.0,
                  1e-13)
          << far;
    }
  }
}

// Whether 64 bits are sufficient depends on the ratios of costs only: powers of two are exact.
TEST(TransportPlan, IsOptimalWhereOnePairIsFarAwayInAnyUnit) {
  Random random(14);
  const RowMatrix cost = costs_with_a_far_pair(4, 1e10, random);
  const std::vector<int> rows = {1, 2, 1, 2, 1};
  const std::vector<int> columns = {2, 1, 1, 2, 1};
  const double least = least_cost_by_units(cost, rows, columns);
  for (const double unit : {0x1p-300, 0x1p-30, 0x1p30, 0x1p300}) {
    const Plan plan = transport_plan(unit * cost, vector_of(rows), vector_of(columns));
    EXPECT_NEAR(plan.cost / unit / least, 1.0, 1e-13) << unit;
  }
}

TEST(TransportPlan, IsOptimalWhereSomeMassHasToGoFar) {
  Random random(12);
  for (const double far : {1e8, 1e15, 1e60}) {
    const RowMatrix cost = costs_with_a_far_pair(4, far, random);
    const std::vector<int> rows = {1, 2, 1, 2, 1};
    const std::vector<int> columns = {1, 1, 1, 2, 2};
    const double least = least_cost_by_units(cost, rows, columns);
    EXPECT_NEAR(transport_plan(cost, vector_of(rows), vector_of(columns)).cost / least, 1.0, 1e-13);
  }
}

TEST(TransportPlan, OfEqualPointsButForRoundingLeavesThemWhereTheyAre) {
  Random random(13);
  RowMatrix cost = random_costs(6, 6, random).cwiseAbs().array() + 1.0;
  for (Index i = 0; i < 6; ++i) cost(i, i) = 1e-32 * random.uniform();
  const Plan plan = transport_plan(cost, Vector::Ones(6), Vector::Ones(6));
  for (const PlanEntry& entry : plan.entries) EXPECT_EQ(entry.row, entry.column);
}

TEST(TransportPlan, HasTheMassesAsSumsAndFewEntries) {
  Random random(1);
  for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {1, 7}, {9, 4}, {30, 30}}) {
    const Vector row_masses = random_masses(rows, random);
    const Vector column_masses = random_masses(columns, random);
    const RowMatrix cost = random_costs(rows, columns, random);
    const Plan plan = transport_plan(cost, row_masses, column_masses);
    EXPECT_LE(std::ssize(plan.entries), rows + columns - 1);
    EXPECT_TRUE(is_sorted_by_row_then_column(plan));
    // masses of about 1 / 30, each entry rounded once, the columns scaled once
    EXPECT_LT((row_sums(plan, rows) - row_masses).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_LT((column_sums(plan, columns) - column_masses).cwiseAbs().maxCoeff(), 1e-15);
    double sum = 0.0;
    for (const PlanEntry& entry : plan.entries) {
      EXPECT_GT(entry.mass, 0.0);
      sum += entry.mass * cost(entry.row, entry.column);
    }
    EXPECT_EQ(plan.cost, sum);
  }
}

// The dual: potentials with row + column <= cost everywhere and equality where the plan has mass.
// Bellman and Ford find them by shortest paths, or a cycle that shows a cheaper plan.
TEST(TransportPlan, HasADualSolutionThatProvesItOptimal) {
  Random random(2);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto rows = static_cast<Index>(1 + random.below(15));
    const auto columns = static_cast<Index>(1 + random.below(15));
    const RowMatrix cost = random_costs(rows, columns, random);
    const Plan plan =
        transport_plan(cost, random_masses(rows, random), random_masses(columns, random));
    Vector to_row = Vector::Zero(rows);
    Vector to_column = Vector::Zero(columns);
    for (Index round = 0; round < rows + columns + 1; ++round) {
      for (Index j = 0; j < columns; ++j) {
        to_column[j] = std::min(to_column[j], (to_row + cost.col(j)).minCoeff());
      }
      for (const PlanEntry& entry : plan.entries) {
        to_row[entry.row] =
            std::min(to_row[entry.row], to_column[entry.column] - cost(entry.row, entry.column));
      }
    }
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < columns; ++j) {
        EXPECT_LE(to_column[j] - to_row[i], cost(i, j) + 1e-13);
      }
    }
    for (const PlanEntry& entry : plan.entries) {
      EXPECT_NEAR(to_column[entry.column] - to_row[entry.row], cost(entry.row, entry.column),
                  1e-13);
    }
  }
}

TEST(TransportPlan, IsTheCheapestOfAllPermutationsUnderEqualMasses) {
  Random random(3);
  for (int n = 1; n <= 7; ++n) {
    for (int repeat = 0; repeat < 5; ++repeat) {
      RowMatrix cost = random_costs(n, n, random);
      if (repeat >= 3) cost = cost.array().round();  // ties
      const Vector equal = Vector::Constant(n, 1.0 / n);
      const Plan plan = transport_plan(cost, equal, equal);
      const std::vector<int> units(static_cast<std::size_t>(n), 1);
      EXPECT_NEAR(n * plan.cost, least_cost_by_units(cost, units, units), 1e-13);
      ASSERT_EQ(std::ssize(plan.entries), n);  // a permutation
      for (const PlanEntry& entry : plan.entries) EXPECT_EQ(entry.mass, 1.0 / n);
    }
  }
}

TEST(TransportPlan, CostsWhatTheMatchingDoesUnderEqualMasses) {
  Random random(4);
  for (const Index n : {20, 120}) {
    const RowMatrix cost = random_costs(n, n, random).array().abs();
    const Plan plan = transport_plan(cost, Vector::Ones(n), Vector::Ones(n));
    EXPECT_EQ(std::ssize(plan.entries), n);
    const double matched = match(cost).cost;
    EXPECT_NEAR(plan.cost, matched, 1e-13 * matched);
  }
}

TEST(TransportPlan, IsTheCheapestWayToPairUnits) {
  const std::pair<std::vector<int>, std::vector<int>> cases[] = {{{2, 3}, {1, 4}},
                                                                 {{1, 1, 4}, {2, 2, 2}},
                                                                 {{3, 3, 2}, {2, 3, 3}},
                                                                 {{5, 0, 2}, {0, 3, 4, 0}},
                                                                 {{8}, {1, 2, 5}}};
  Random random(5);
  for (const auto& [rows, columns] : cases) {
    for (int repeat = 0; repeat < 6; ++repeat) {
      RowMatrix cost = random_costs(std::ssize(rows), std::ssize(columns), random);
      if (repeat >= 3) cost = cost.array().round();
      const Plan plan = transport_plan(cost, vector_of(rows), vector_of(columns));
      EXPECT_NEAR(plan.cost, least_cost_by_units(cost, rows, columns), 1e-13);
      EXPECT_EQ(row_sums(plan, cost.rows()), vector_of(rows));  // integer masses stay integers
      EXPECT_EQ(column_sums(plan, cost.cols()), vector_of(columns));
    }
  }
}

TEST(TransportPlan, KeepsItsDigitsAtAnyScale) {
  Random random(6);
  const RowMatrix cost = random_costs(8, 6, random);
  const Vector row_masses = random_masses(8, random);
  const Vector column_masses = random_masses(6, random);
  const Plan plan = transport_plan(cost, row_masses, column_masses);
  for (const double scale : {1e-300, 1e-20, 1e20, 1e300}) {
    const Plan costly = transport_plan(scale * cost, row_masses, column_masses);
    const Plan heavy = transport_plan(cost, scale * row_masses, scale * column_masses);
    EXPECT_NEAR(costly.cost / scale, plan.cost, 1e-14);
    EXPECT_NEAR(heavy.cost / scale, plan.cost, 1e-14);
  }
  // a distant row does not affect the precision of the others
  RowMatrix far = cost;
  far.row(3).array() += 1e9;
  EXPECT_NEAR(transport_plan(far, row_masses, column_masses).cost - 1e9 * row_masses[3], plan.cost,
              1e-6);
  const RowMatrix extremes{{1.7e308, -1.7e308}, {-1.7e308, 1.7e308}};
  const Plan crossed = transport_plan(extremes, Vector::Constant(2, 0.5), Vector::Constant(2, 0.5));
  ASSERT_EQ(crossed.entries.size(), 2U);
  EXPECT_EQ(crossed.entries[0].column, 1);
}

TEST(TransportPlan, AddsCostsThatOverflowOnlyInBetween) {
  const RowMatrix cost{{1e308, 1.5e308}, {1.5e308, -1e308}};
  const Plan plan = transport_plan(cost, Eigen::Vector2d(50.0, 49.0), Eigen::Vector2d(50.0, 49.0));
  EXPECT_NEAR(plan.cost / 1e308, 1.0, 1e-12);
  const Plan heavy = transport_plan(RowMatrix{{1e10, 2e10}, {2e10, -1e10}},
                                    Eigen::Vector2d(8e307, 8e307), Eigen::Vector2d(8e307, 8e307));
  EXPECT_NEAR(heavy.cost / 1e308, 0.0, 1e-12);
}

TEST(TransportPlan, LeavesOutWhatHasNoMass) {
  const RowMatrix cost{{0.0, 1.0, 5.0}, {1.0, 0.0, -1e300}};
  const Plan plan = transport_plan(cost, Eigen::Vector2d(1.0, 0.0), Eigen::Vector3d(0.5, 0.5, 0.0));
  ASSERT_EQ(plan.entries.size(), 2U);
  EXPECT_EQ(plan.cost, 0.5);
}

TEST(TransportPlan, RefusesBadArguments) {
  const RowMatrix cost = RowMatrix::Zero(2, 2);
  const Vector ones = Vector::Ones(2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_error<InvalidArgument>([&] { (void)transport_plan(RowMatrix(0, 2), Vector(0), ones); },
                                "transport_plan: cost is 0 x 2, expected at least one row and one "
                                "column");
  expect_error<InvalidArgument>(
      [&] { (void)transport_plan(cost, Vector::Ones(3), ones); },
      "transport_plan: row_masses has 3 entries, expected 2 (the shape of cost)");
  expect_error<InvalidArgument>(
      [&] { (void)transport_plan(cost, ones, Eigen::Vector2d(3.0, -1.0)); },
      "transport_plan: column_masses[1] is -1, expected a finite number >= 0");
  expect_error<InvalidArgument>([&] { (void)transport_plan(cost, Vector::Zero(2), ones); },
                                "transport_plan: row_masses sum to 0, expected a finite sum > 0");
  expect_error<InvalidArgument>([&] { (void)transport_plan(cost, ones, 1.5 * ones); },
                                "transport_plan: row_masses sum to 2 and column_masses to 3, "
                                "expected equal sums within 1e-9");
  expect_error<InvalidArgument>(
      [&] {
        (void)transport_plan(RowMatrix{{0.0, 1.0}, {nan, 0.0}}, ones, ones);
      },
      "transport_plan: cost(1, 0) is nan, expected a finite number");
  expect_error<InvalidArgument>(
      [&] {
        (void)transport_plan(RowMatrix{{nan, 1.0}, {0.0, 0.0}}, ones, ones);
      },
      "transport_plan: cost(0, 0) is nan, expected a finite number");
}

}  // namespace
}  // namespace lbw
