// SPDX-License-Identifier: MIT
// Evaluation of a model on held-out samples.
#pragma once

#include <lbw/report.hpp>

namespace lbw {

/// The number of neighbours of a second classifier, which detects differences on the finest scale:
/// repeated values, such as whole numbers, that are moved to different places for every group.
constexpr int few_neighbors = 5;

/// The fraction of a distance or separation that must remain for a warning.
constexpr double much_left = 0.25;

/// Whether the groups are still separated at the barycenter: by more than noise explains, and by
/// more than a quarter of the separation before.
[[nodiscard]] bool still_separated(const SeparationReport& pair);

/// Adds carries, separations and barycentric weights to a report that already has its pairs.
void report_held_out(const TransportModel& model, std::span<const Group> held_out,
                     const ReportOptions& options, Report& report);

}  // namespace lbw
