// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix_view.hpp>

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

}  // namespace lbw
