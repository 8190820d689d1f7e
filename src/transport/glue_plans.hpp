// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <lbw/coupling.hpp>
#include <lbw/mixture.hpp>
#include <span>
#include <vector>

namespace lbw {

/// One component of every group, and how much mass they share.
struct MassTuple {
  std::vector<int> components;  ///< by group
  double mass = 0.0;
};

/// Plans of every group to the reference, glued into tuples whose masses have the weights of every
/// group as their sums.
///
/// Groups join one after another. Where a component of the reference has been divided among
/// several tuples already, these are joined with its share of the next group by another plan, at
/// the sum of the costs between their members and the newcomer. So with three groups, given the
/// two plans, no gluing has a lower sum of costs over all pairs.
///
/// A component without mass belongs to a tuple of mass 0, with what is nearest to it.
///
/// @param weights    those of the components of every group
/// @param cost       (first, second): the costs between the components of two groups, asked for
/// once
///                   for each pair that is needed
[[nodiscard]] std::vector<MassTuple> glue_plans(
    std::span<const Vector> weights, Index reference,
    const std::function<RowMatrix(Index first, Index second)>& cost);

}  // namespace lbw
