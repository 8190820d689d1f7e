// SPDX-License-Identifier: MIT
// Warnings of fits that cannot be trusted, as the Python estimators give them.
#pragma once

#include <lbw/fit_transport.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lbw::cli {

/// Warnings of a fit that sends new samples too far: components with few samples, and features that
/// are constant in one group and vary in another. Without warnings if the covariances are
/// regularized.
[[nodiscard]] std::vector<std::string> quality_warnings(const TransportModel& model,
                                                        std::span<const Group> groups);

/// A warning if many samples are copies of others, so that held-out samples are among those of the
/// fit. Groups of more than 65536 samples are not examined.
[[nodiscard]] std::optional<std::string> copies_warning(std::span<const SampleView> samples);

}  // namespace lbw::cli
