// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <lbw/matrix.hpp>
#include <vector>

namespace lbw {

/// One component of every group, and their common mass.
struct MassTuple {
  std::vector<int> components;  ///< by group
  double mass = 0.0;
};

/// (n_components of `first`, n_components of `second`): costs between the components of two groups.
using GroupCosts = std::function<RowMatrix(Index first, Index second)>;

}  // namespace lbw
