// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "matching/mass_tuple.hpp"

namespace lbw {

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
/// @param cost       asked for once for each pair of groups that is needed
[[nodiscard]] std::vector<MassTuple> glue_plans(std::span<const Vector> weights, Index reference,
                                                const GroupCosts& cost);

}  // namespace lbw
