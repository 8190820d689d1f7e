// SPDX-License-Identifier: MIT
// Nearest neighbours between two halves of a set of points.
#pragma once

#include "device/tables.hpp"

namespace lbw {

/// The n_neighbors nearest points in the other half of a point, and all at the distance of the last
/// one. Equal points have exactly equal distances, because features are summed in a fixed order.
/// @param points  (n_features, n_points)
[[nodiscard]] std::vector<int> neighbors_across(const RowMatrix& points,
                                                const std::vector<bool>& halves, Index point,
                                                int n_neighbors);

}  // namespace lbw
