// SPDX-License-Identifier: MIT
// What a model does to samples that it has not seen.
#pragma once

#include <lbw/report.hpp>

namespace lbw {

/// Adds carries, separations and the weights of the barycenter to a report that has its pairs.
void report_held_out(const TransportModel& model, std::span<const Group> held_out,
                     const ReportOptions& options, Report& report);

}  // namespace lbw
