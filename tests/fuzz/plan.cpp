// SPDX-License-Identifier: MIT
// Transport plans: masses are conserved, and the dual problem proves that no plan is cheaper.
#include <lbw/assignment.hpp>

#include "fuzz/fuzz_input.hpp"

using namespace lbw;

namespace {

/// Optimal if and only if there are potentials with u + v <= cost everywhere and = cost where there
/// is mass. Bellman and Ford find them, or a cycle along which the plan can be made cheaper.
bool has_potentials(const RowMatrix& cost, const Plan& plan, double tolerance) {
  Vector row = Vector::Zero(cost.rows());
  Vector column = Vector::Zero(cost.cols());
  for (Index round = 0; round <= cost.rows() + cost.cols(); ++round) {
    bool changed = false;
    for (Index i = 0; i < cost.rows(); ++i) {
      for (Index j = 0; j < cost.cols(); ++j) {
        if (column(j) <= row(i) + cost(i, j) + tolerance) continue;
        column(j) = row(i) + cost(i, j);
        changed = true;
      }
    }
    for (const PlanEntry& entry : plan.entries) {
      const double back = column(entry.column) - cost(entry.row, entry.column);
      if (row(entry.row) <= back + tolerance) continue;
      row(entry.row) = back;
      changed = true;
    }
    if (!changed) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::FuzzInput input(data, size);
  const Index rows = input.whole(1, 7);
  const Index columns = input.whole(1, 7);
  const Vector row_masses = input.weights(rows);
  Vector column_masses = input.weights(columns);
  if (input.byte() % 8 != 0) column_masses *= row_masses.sum() / column_masses.sum();
  const RowMatrix cost = input.numbers(rows, columns);
  Plan plan;
  if (!fuzz::accepts([&] { plan = transport_plan(cost, row_masses, column_masses); })) return 0;
  fuzz::require(std::isfinite(plan.cost), "the cost is finite");
  fuzz::require(static_cast<Index>(plan.entries.size()) <= rows + columns - 1, "few entries");
  Vector row_sums = Vector::Zero(rows);
  Vector column_sums = Vector::Zero(columns);
  for (const PlanEntry& entry : plan.entries) {
    fuzz::require(entry.mass > 0.0, "masses are positive");
    row_sums(entry.row) += entry.mass;
    column_sums(entry.column) += entry.mass;
  }
  const double total = row_masses.sum();
  fuzz::require((row_sums - row_masses).cwiseAbs().maxCoeff() <= 1e-13 * total, "rows keep mass");
  fuzz::require((column_sums - column_masses).cwiseAbs().maxCoeff() <= 1e-8 * total,
                "columns keep mass");
  if (fuzz::is_moderate(cost)) {
    fuzz::require(has_potentials(cost, plan, 1e-7), "no plan is cheaper");
  }
  return 0;
}
