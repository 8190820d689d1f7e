// SPDX-License-Identifier: MIT
// The validation of the arguments of fit_transport.
#pragma once

#include <lbw/fit_transport.hpp>

namespace lbw {

/// Throws InvalidArgument unless fit_transport can fit these groups with these options. The values
/// of the samples are checked where they are first used.
void check_fit(std::span<const Group> groups, const TransportOptions& options);

/// Whether a group has too few samples to be fitted: one sample, unless its weight counts for two.
[[nodiscard]] bool is_small(const Group& group);

/// Throws InvalidArgument if a value of the group's samples is not finite.
void check_samples_of(const Group& group, const Execution& execution);

}  // namespace lbw
