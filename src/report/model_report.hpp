// SPDX-License-Identifier: MIT
// Reports on a model without samples.
#pragma once

#include <lbw/report.hpp>

namespace lbw {

/// The components of a valid model, by group, then component.
[[nodiscard]] std::vector<ComponentReport> component_reports(const TransportModel& model);

/// All pairs of groups of a valid model.
[[nodiscard]] std::vector<PairReport> pair_reports(const TransportModel& model,
                                                   const Execution& execution);

/// fit_warnings of a valid model.
[[nodiscard]] std::vector<std::string> warnings_of_fit(const TransportModel& model);

}  // namespace lbw
