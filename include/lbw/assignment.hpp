// SPDX-License-Identifier: MIT
// Discrete optimal transport: matchings and plans of a cost matrix.
#pragma once

#include <lbw/samples.hpp>
#include <vector>

namespace lbw {

struct Matching {
  /// matching[i] is the column of row i; -1 for a row left over when rows outnumber columns.
  Labels matching;
  /// Sum of the costs of the matched pairs.
  double cost = 0.0;
};

/// Least-cost one-to-one matching of rows to columns by shortest augmenting paths, O(rows^2 *
/// columns) for rows <= columns. Every row is matched, or every column where rows are more. Ties
/// are broken by fixed rules, the lowest column first, so equal input gives the same matching
/// always, on every instruction set.
///
/// @param cost  (n_rows, n_columns), any real numbers; +infinity forbids a pair
/// @throws InvalidArgument  on NaN or -infinity, with its place, and on an empty matrix
/// @throws NumericalError   when the forbidden pairs leave no complete matching
[[nodiscard]] Matching match(const MatrixView& cost);

/// The next best after the matching of `match`.
struct RunnerUp {
  /// As Matching::matching, and different from it in at least one row; empty where there is no
  /// other complete matching.
  Labels matching;
  /// What it costs more than the best, >= 0; 0 where the best is not the only one, +infinity where
  /// there is no other.
  double gap = 0.0;
};

/// The cheapest complete matching but one: exact, in at most as many shortest searches as there are
/// rows, O(rows^3) for a square matrix and mostly far less.
///
/// @param cost  as for `match`, which throws for bad ones
[[nodiscard]] RunnerUp runner_up(const MatrixView& cost);

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
