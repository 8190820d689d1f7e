// SPDX-License-Identifier: MIT
// A simple assignment solver: every row by a shortest augmenting path over all columns, one
// comparison at a time. It is slow, and short enough to verify by reading.
#pragma once

#include "matching/assignment.hpp"

namespace lbw::oracle {

/// Like lbw::solve_assignment.
[[nodiscard]] Assignment solve_assignment(const RowMatrix& cost);

}  // namespace lbw::oracle
