// SPDX-License-Identifier: MIT
// What a model says of itself, without samples.
#pragma once

#include <lbw/report.hpp>

namespace lbw {

/// Of a model that was checked before, by group, then component.
[[nodiscard]] std::vector<ComponentReport> component_reports(const TransportModel& model);

/// Of every two groups of a model that was checked before.
[[nodiscard]] std::vector<PairReport> pair_reports(const TransportModel& model,
                                                   const Execution& execution);

/// fit_warnings of a model that has been checked.
[[nodiscard]] std::vector<std::string> warnings_of_fit(const TransportModel& model);

}  // namespace lbw
