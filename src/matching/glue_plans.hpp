// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "matching/mass_tuple.hpp"

namespace lbw {

/// Combines the plans of every group to the reference into tuples whose marginals are the weights
/// of every group.
///
/// Groups join one after another. If a component of the reference is already divided among several
/// tuples, these are coupled with its portions of the next group by another plan, whose cost is the
/// sum of the costs between the members and the new component. For three groups and the two given
/// plans, no other gluing has a lower sum of costs over all pairs.
///
/// A component without mass belongs to a tuple of mass 0 with its nearest components.
///
/// @param weights    component weights of every group
/// @param cost       called once for each pair of groups that is needed; pairs without the
///                   reference are needed only if one of its components is divided
[[nodiscard]] std::vector<MassTuple> glue_plans(std::span<const Vector> weights, Index reference,
                                                const GroupCosts& cost);

}  // namespace lbw
