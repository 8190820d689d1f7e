// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"

namespace lbw::cli {

/// bash, zsh and fish.
[[nodiscard]] const std::vector<std::string>& completion_shells();

/// The completion script for a shell, from the declarations of all commands.
[[nodiscard]] std::string completion_script(const Program& program, const std::string& shell);

}  // namespace lbw::cli
