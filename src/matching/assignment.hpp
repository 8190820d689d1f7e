// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>
#include <vector>

namespace lbw {

/// An optimal matching of every row with the dual solution that proves it: no pair costs less than
/// row_potentials[i] + column_potentials[j], matched pairs cost exactly that (up to rounding), and
/// column potentials are <= 0, with 0 for unmatched columns.
struct Assignment {
  std::vector<Index> column_of_row;
  Vector row_potentials;
  Vector column_potentials;
  /// Empty on success. Otherwise, ascending rows that together allow fewer columns than there are
  /// rows; all other members are then unspecified.
  std::vector<Index> blocked_rows;
  Index n_columns_of_blocked_rows = 0;
};

/// @param cost  (n_rows, n_columns), n_rows <= n_columns, finite or +infinity; sums of 4 n_columns
///              finite entries must be finite
[[nodiscard]] Assignment solve_assignment(const Eigen::Ref<const RowMatrix>& cost);

}  // namespace lbw
