// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_transport.hpp>
#include <span>
#include <vector>

namespace lbw {

/// The groups without samples of weight 0. A group that has some owns its other samples, weights
/// and keys in the result. A group of weights that are all 0 does not change. Throws
/// InvalidArgument if a sample that is left out has a value that is not finite.
[[nodiscard]] std::vector<Group> weighing_groups(std::span<const Group> groups,
                                                 const Execution& execution);

/// Throws InvalidArgument unless the group has no weights, or one per sample, finite and >= 0.
void check_weights_of(const Group& group, const char* function);

/// The same, and not all weights are 0.
void check_positive_weights_of(const Group& group, const char* function);

}  // namespace lbw
