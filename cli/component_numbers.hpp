// SPDX-License-Identifier: MIT
// Numbers of components to choose from, as they are typed.
#pragma once

#include <CLI/CLI.hpp>
#include <lbw/select_components.hpp>
#include <string>
#include <vector>

namespace lbw::cli {

/// Ranges between commas: 5, 1:40, 1:40:3 or 5,10,20. @throws UsageError
[[nodiscard]] std::vector<int> component_numbers_from(const std::string& text);

/// --criterion.
void add_criterion_option(CLI::App& verb, Criterion& criterion);

}  // namespace lbw::cli
