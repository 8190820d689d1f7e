// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matching.hpp>

namespace lbw {

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

}  // namespace lbw
