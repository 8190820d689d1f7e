// SPDX-License-Identifier: MIT
// Groups that were too small to fit. They have no weight, and their maps are the identity.
#pragma once

#include <lbw/transport.hpp>

namespace lbw {

[[nodiscard]] bool is_kept(const TransportModel& model, std::string_view group);

/// The weights without those of kept groups, normalized to sum to 1.
///
/// @throws InvalidArgument  if no weight remains
[[nodiscard]] std::vector<double> weights_of_fitted(const TransportModel& model,
                                                    std::span<const double> barycentric_weights,
                                                    const char* function);

/// Throws InvalidArgument unless all kept groups are distinct groups of the model and at least one
/// group is not kept.
void check_kept_groups(const TransportModel& model, const char* function);

}  // namespace lbw
