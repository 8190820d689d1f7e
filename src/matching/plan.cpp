// SPDX-License-Identifier: MIT
#include <lbw/plan.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/message.hpp"
#include "matching/transport_simplex.hpp"

namespace lbw {

namespace {

void check_masses(const Vector& masses, Index expected_size, const char* argument) {
  require(masses.size() == expected_size, "transport_plan: ", argument, " has ", masses.size(),
          " entries, expected ", expected_size, ", the shape of cost");
  for (Index i = 0; i < masses.size(); ++i) {
    require(masses[i] >= 0.0 && std::isfinite(masses[i]), "transport_plan: ", argument, "[", i,
            "] is ", masses[i], ", expected a finite number >= 0");
  }
  require(masses.sum() > 0.0 && std::isfinite(masses.sum()), "transport_plan: ", argument,
          " sum to ", masses.sum(), ", expected a finite sum > 0");
}

void check_arguments(const Eigen::Ref<const RowMatrix>& cost, const Vector& row_masses,
                     const Vector& column_masses) {
  require(cost.size() > 0, "transport_plan: cost is ", cost.rows(), " x ", cost.cols(),
          ", expected at least one row and one column");
  check_masses(row_masses, cost.rows(), "row_masses");
  check_masses(column_masses, cost.cols(), "column_masses");
  const double row_sum = row_masses.sum();
  const double column_sum = column_masses.sum();
  require(std::abs(row_sum - column_sum) <= 1e-9 * row_sum, "transport_plan: row_masses sum to ",
          row_sum, " and column_masses to ", column_sum, ", expected equal sums within 1e-9");
  for (Index row = 0; row < cost.rows(); ++row) {
    for (Index column = 0; column < cost.cols(); ++column) {
      require(std::isfinite(cost(row, column)), "transport_plan: cost(", row, ", ", column, ") is ",
              cost(row, column), ", expected a finite number");
    }
  }
}

/// Rows or columns that have mass, with that mass in whole units.
struct WholeSide {
  std::vector<Index> places;  ///< in the caller's order
  std::vector<WholeMass> masses;

  WholeSide(const Vector& given, double factor, int shift) {
    for (Index i = 0; i < given.size(); ++i) {
      const auto mass = static_cast<WholeMass>(std::ldexp(given[i] * factor, shift));
      if (mass == 0) continue;
      places.push_back(i);
      masses.push_back(mass);
    }
  }

  [[nodiscard]] WholeMass sum() const {
    WholeMass sum = 0;
    for (const WholeMass mass : masses) sum += mass;
    return sum;
  }

  /// The largest takes what rounding left over.
  void make_sum(WholeMass wanted) {
    *std::max_element(masses.begin(), masses.end()) += wanted - sum();
  }
};

// Costs less the least of their row and then of their column: the same plans are best, and the
// largest number, which decides how finely the others can be told apart, is smaller.
RowMatrix reduced_costs(const Eigen::Ref<const RowMatrix>& cost, const WholeSide& rows,
                        const WholeSide& columns) {
  // so that a difference of the largest doubles does not overflow
  const double scale = cost.cwiseAbs().maxCoeff() > 0x1p1000 ? 0.25 : 1.0;
  RowMatrix reduced(std::ssize(rows.places), std::ssize(columns.places));
  for (Index i = 0; i < reduced.rows(); ++i) {
    for (Index j = 0; j < reduced.cols(); ++j) {
      reduced(i, j) = scale * cost(rows.places[static_cast<std::size_t>(i)],
                                   columns.places[static_cast<std::size_t>(j)]);
    }
  }
  reduced.colwise() -= reduced.rowwise().minCoeff().eval();
  reduced.rowwise() -= reduced.colwise().minCoeff().eval();
  return reduced;
}

WholeCosts whole_costs(const RowMatrix& cost) {
  int exponent = 0;
  (void)std::frexp(cost.maxCoeff(), &exponent);
  const int shift = most_cost_bits(cost.rows(), cost.cols()) - exponent;
  WholeCosts whole(cost.rows(), cost.cols());
  for (Index i = 0; i < cost.size(); ++i) {
    whole.data()[i] = std::llround(std::ldexp(cost.data()[i], shift));
  }
  return whole;
}

/// How many powers of two masses of this sum can be multiplied by.
int mass_shift(double sum, Index n_rows) {
  int exponent = 0;
  (void)std::frexp(sum, &exponent);
  return most_mass_bits(n_rows) - 1 - exponent;
}

}  // namespace

Plan transport_plan(const Eigen::Ref<const RowMatrix>& cost, const Vector& row_masses,
                    const Vector& column_masses) {
  check_arguments(cost, row_masses, column_masses);
  const int shift = mass_shift(row_masses.sum(), cost.rows());
  const WholeSide rows(row_masses, 1.0, shift);
  WholeSide columns(column_masses, row_masses.sum() / column_masses.sum(), shift);
  columns.make_sum(rows.sum());
  const WholeCosts whole = whole_costs(reduced_costs(cost, rows, columns));
  Plan plan;
  for (const WholeEntry& entry : solve_transport(whole, rows.masses, columns.masses)) {
    plan.entries.push_back(
        {static_cast<int>(rows.places[static_cast<std::size_t>(entry.row)]),
         static_cast<int>(columns.places[static_cast<std::size_t>(entry.column)]),
         std::ldexp(static_cast<double>(entry.mass), -shift)});
  }
  std::sort(plan.entries.begin(), plan.entries.end(), [](const auto& left, const auto& right) {
    return std::tie(left.row, left.column) < std::tie(right.row, right.column);
  });
  for (const PlanEntry& entry : plan.entries) {
    plan.cost += entry.mass * cost(entry.row, entry.column);
  }
  return plan;
}

}  // namespace lbw
