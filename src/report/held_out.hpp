// SPDX-License-Identifier: MIT
// What a model does to samples that it has not seen.
#pragma once

#include <lbw/report.hpp>

namespace lbw {

/// Of a second classifier, which sees what differs on the finest scale: values that repeat, as of
/// whole numbers, and land in places of their own for every group.
constexpr int few_neighbors = 5;

/// What must be left of a distance or separation to be worth a warning.
constexpr double much_left = 0.25;

/// At the barycenter the groups can be told apart: beyond noise, and by more than a quarter of what
/// it was before.
[[nodiscard]] bool still_separated(const SeparationReport& pair);

/// Adds carries, separations and the weights of the barycenter to a report that has its pairs.
void report_held_out(const TransportModel& model, std::span<const Group> held_out,
                     const ReportOptions& options, Report& report);

}  // namespace lbw
