// SPDX-License-Identifier: MIT
// The plain assignment solver: every row by a shortest augmenting path over all columns, one
// comparison at a time. Slow, and short enough to be believed.
#pragma once

#include "matching/assignment.hpp"

namespace lbw::oracle {

/// As lbw::solve_assignment.
[[nodiscard]] Assignment solve_assignment(const RowMatrix& cost);

}  // namespace lbw::oracle
