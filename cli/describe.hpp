// SPDX-License-Identifier: MIT
// Descriptions of a fitted model as text and as JSON.
#pragma once

#include <lbw/transport.hpp>
#include <string>

#include "cli/output.hpp"

namespace lbw::cli {

[[nodiscard]] std::string describe(const TransportModel& model);
[[nodiscard]] Json to_json(const TransportModel& model);

/// The coupling cost of more than two groups; empty for a matching or two groups, where it follows
/// from their distance.
[[nodiscard]] std::string describe_coupling_cost(const TransportModel& model,
                                                 const Execution& execution);

/// The feature names of the model, or numbers from 1.
[[nodiscard]] std::vector<std::string> feature_names_of(const TransportModel& model);

/// The dithered features, as in "2 of 5 features: age by 1, sex by 1" with the widths of the noise,
/// or "2 of 5 features: age (73 values), sex (2 values)" if it is automatic. Empty without dither.
[[nodiscard]] std::string dithered_features(const TransportModel& model);

/// Warns about every group that did not converge; returns false if there is one.
[[nodiscard]] bool report_convergence(bool quiet, const std::string& subcommand,
                                      const TransportModel& model);

/// Advice for convergence, with the current values.
[[nodiscard]] std::string convergence_advice(const MixtureOptions& options);

}  // namespace lbw::cli
