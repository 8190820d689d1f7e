// SPDX-License-Identifier: MIT
// A fitted model in words and as JSON.
#pragma once

#include <lbw/transport.hpp>
#include <string>

#include "cli/output.hpp"

namespace lbw::cli {

[[nodiscard]] std::string describe(const TransportModel& model);
[[nodiscard]] Json to_json(const TransportModel& model);

/// Of more than two groups that are coupled by mass, else empty: of two it follows from their
/// distance.
[[nodiscard]] std::string describe_coupling_cost(const TransportModel& model,
                                                 const Execution& execution);

/// The names of the features: the model's, or their numbers from 1.
[[nodiscard]] std::vector<std::string> feature_names_of(const TransportModel& model);

/// "2 of 5 features: age by 1, sex by 1", the width of the noise of each, or "2 of 5 features: age
/// (73 values), sex (2 values)" where it is automatic; empty without dither.
[[nodiscard]] std::string dithered_features(const TransportModel& model);

/// Warns of every group that ran out of steps; false when there was one.
[[nodiscard]] bool report_convergence(bool quiet, const std::string& verb,
                                      const TransportModel& model);

/// How to make a fit converge, with the values it had.
[[nodiscard]] std::string convergence_advice(const MixtureOptions& options);

}  // namespace lbw::cli
