// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix_view.hpp>
#include <vector>

namespace lbw {

/// What goes from one row to one column.
struct PlanEntry {
  int row = 0;
  int column = 0;
  double mass = 0.0;  ///< > 0
};

struct Plan {
  /// By row, then column; at most rows + columns - 1 of them.
  std::vector<PlanEntry> entries;
  /// Sum of mass times cost.
  double cost = 0.0;
};

/// Least-cost way to move the masses of the rows to the columns: an optimal transport plan
/// (Kantorovich's problem, Eq. 1, between discrete measures), by the network simplex in whole
/// numbers. It ends on every input, ties and equal masses included, and gives the same plan always.
/// Entries add up to the masses, to rounding of the total mass; no other plan is cheaper by more
/// than about 1e-13 of the sum of mass times |cost|, however different the costs are. Equal masses
/// of as many rows as columns give a permutation: a solution of `match`.
///
/// @param cost            (n_rows, n_columns), finite
/// @param row_masses      (n_rows), >= 0; rows of mass 0 get no entry
/// @param column_masses   (n_columns), >= 0, summing to what the rows do within 1e-9 of it; they
///                        are scaled to sum to exactly that
/// @throws InvalidArgument  naming the argument, the value seen and the condition
[[nodiscard]] Plan transport_plan(const MatrixView& cost, const Vector& row_masses,
                                  const Vector& column_masses);

}  // namespace lbw
