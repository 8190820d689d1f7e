// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/report.hpp>

#include "cli/output.hpp"

namespace lbw::cli {

/// Adds components, pairs, the verdict and, of held-out samples, what they show. A number that is
/// infinite is null.
void add_report(const Report& report, Json& json);

}  // namespace lbw::cli
