// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/report.hpp>

namespace lbw {

/// What a report comes down to: a few sentences, each with its number and, where something is
/// wrong, with what to do; warnings first. Of several cases of one kind the worst is told.
[[nodiscard]] std::vector<Finding> verdict_of(const TransportModel& model, const Report& report);

}  // namespace lbw
