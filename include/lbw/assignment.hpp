// SPDX-License-Identifier: MIT
// Discrete optimal transport: matchings and transport plans for a cost matrix.
#pragma once

#include <lbw/samples.hpp>
#include <vector>

namespace lbw {

struct Matching {
  /// matching[i] is the column matched to row i; -1 for an unmatched row if rows outnumber columns.
  Labels matching;
  /// Sum of the costs of the matched pairs.
  double cost = 0.0;
};

/// Computes a one-to-one matching of least cost by shortest augmenting paths in O(rows^2 * columns)
/// for rows <= columns. Every row is matched, or every column if there are more rows. Ties are
/// broken by fixed rules, lowest column first, so the result is the same on every instruction set.
///
/// @param cost  (n_rows, n_columns), any real numbers; +infinity forbids a pair
/// @throws InvalidArgument  on NaN or -infinity, with its position, and on an empty matrix
/// @throws NumericalError   if the forbidden pairs leave no complete matching
[[nodiscard]] Matching match(const MatrixView& cost);

/// The second-best complete matching.
struct RunnerUp {
  /// Like Matching::matching, but different in at least one row; empty if there is no other
  /// complete matching.
  Labels matching;
  /// The additional cost compared to the best matching, >= 0. It is 0 if the best matching is not
  /// unique and +infinity if there is no other.
  double gap = 0.0;
};

/// Computes the second-best complete matching exactly, by at most one shortest-path search per row:
/// O(rows^3) for a square matrix, and usually much less.
///
/// @param cost  as for `match`, with the same exceptions
[[nodiscard]] RunnerUp runner_up(const MatrixView& cost);

/// The mass moved from one row to one column.
struct PlanEntry {
  int row = 0;
  int column = 0;
  double mass = 0.0;  ///< > 0
};

struct Plan {
  /// Ordered by row, then column; at most rows + columns - 1 entries.
  std::vector<PlanEntry> entries;
  /// Sum of mass times cost.
  double cost = 0.0;
};

/// Computes an optimal transport plan between row and column masses (Kantorovich's problem, Eq. 1,
/// for discrete measures) by the network simplex method in integers. It terminates on every input,
/// including ties and equal masses, and is reproducible. The entries sum to the masses up to
/// rounding of the total mass. No other plan is cheaper by more than about 1e-13 of the sum of mass
/// times |cost|, even for costs of very different magnitude. Equal masses of equally many rows and
/// columns give a permutation, which is a solution of `match`.
///
/// @param cost            (n_rows, n_columns), finite
/// @param row_masses      (n_rows), >= 0; rows of mass 0 get no entry
/// @param column_masses   (n_columns), >= 0; their sum equals that of the rows within 1e-9
///                        (relative) and is scaled to equal it exactly
/// @throws InvalidArgument  naming the argument, the value received and the condition
[[nodiscard]] Plan transport_plan(const MatrixView& cost, const Vector& row_masses,
                                  const Vector& column_masses);

}  // namespace lbw
