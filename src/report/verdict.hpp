// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/report.hpp>

namespace lbw {

/// Summarizes a report in a few sentences with numbers and, for problems, advice; warnings first.
/// Of several cases of one kind, only the worst is reported.
[[nodiscard]] std::vector<Finding> verdict_of(const TransportModel& model, const Report& report);

}  // namespace lbw
