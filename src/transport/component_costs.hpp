// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_transport.hpp>
#include <lbw/mixture.hpp>

namespace lbw {

/// (n_components of `from`, n_components of `to`), without argument checks.
[[nodiscard]] RowMatrix component_costs(const Mixture& from, const Mixture& to, ComponentCost cost,
                                        const Execution& execution);

/// Whether the mixtures are farther apart than their components reach, so that the differences
/// between the costs are small compared with the costs and lose digits.
[[nodiscard]] bool are_far_apart(const Mixture& from, const Mixture& to);

/// The costs, or those of the mixtures moved to a common mean if they are far apart. The optimal
/// couplings are the same.
[[nodiscard]] RowMatrix comparable_costs(const Mixture& from, const Mixture& to, ComponentCost cost,
                                         const Execution& execution);

}  // namespace lbw
