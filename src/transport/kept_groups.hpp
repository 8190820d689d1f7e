// SPDX-License-Identifier: MIT
// Groups that were too small to fit: they have no weight, and their maps move nothing.
#pragma once

#include <lbw/transport.hpp>

namespace lbw {

[[nodiscard]] bool is_kept(const TransportModel& model, std::string_view group);

/// The weights with those of kept groups taken away, summing to 1.
///
/// @throws InvalidArgument  where nothing is left
[[nodiscard]] std::vector<double> weights_of_fitted(const TransportModel& model,
                                                    std::span<const double> barycentric_weights,
                                                    const char* function);

/// Throws InvalidArgument unless all kept groups are groups of the model, each once, and another
/// group is left.
void check_kept_groups(const TransportModel& model, const char* function);

}  // namespace lbw
