// SPDX-License-Identifier: MIT
// Parsing of lists of component numbers.
#pragma once

#include <lbw/fit_mixture.hpp>
#include <string>
#include <vector>

#include "cli/command_line.hpp"

namespace lbw::cli {

/// Parses ranges separated by commas: 5, 1:40, 1:40:3 or 5,10,20. @throws UsageError
[[nodiscard]] std::vector<int> component_numbers_from(const std::string& text);

/// Adds --criterion.
void add_criterion_option(Command& command, Criterion& criterion);

}  // namespace lbw::cli
