// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/report.hpp>

#include "cli/output.hpp"

namespace lbw::cli {

/// Adds components, pairs, verdict and, if there are held-out samples, their results. Infinite
/// numbers become null.
void add_report(const Report& report, Json& json);

}  // namespace lbw::cli
