// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/report.hpp>

#include "cli/output.hpp"

namespace lbw::cli {

/// Adds the tables of a report, with the names of lbw/report.hpp, and its barycentric
/// weights. Those of held-out samples are empty without samples. A value that is infinite or does
/// not apply is null.
void add_report(const Report& report, Json& json);

}  // namespace lbw::cli
