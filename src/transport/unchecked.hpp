// SPDX-License-Identifier: MIT
// Functions of <lbw/transport.hpp> for models, maps and mixtures that were checked before. Their
// other arguments are checked.
#pragma once

#include <lbw/transport.hpp>

namespace lbw {

[[nodiscard]] Mixture barycenter_unchecked(const TransportModel& model,
                                           std::span<const double> barycentric_weights,
                                           const Execution& execution = {});

[[nodiscard]] LocalMap map_between_unchecked(const TransportModel& model, std::string_view from,
                                             std::string_view to, double amount = 1.0,
                                             const Execution& execution = {});

[[nodiscard]] LocalMap map_to_barycenter_unchecked(const TransportModel& model,
                                                   std::string_view from,
                                                   std::span<const double> barycentric_weights,
                                                   double amount = 1.0,
                                                   const Execution& execution = {});

[[nodiscard]] RowMatrix transport_unchecked(const LocalMap& map, SampleView samples,
                                            const Execution& execution = {},
                                            std::span<const std::uint64_t> keys = {});

[[nodiscard]] double mixture_distance_unchecked(const Mixture& first, const Mixture& second,
                                                const Execution& execution = {});

}  // namespace lbw
