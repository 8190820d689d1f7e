// SPDX-License-Identifier: MIT
// The texts of --help, made from the declarations of the commands.
#pragma once

#include <string>

#include "cli/command_line.hpp"

namespace lbw::cli {

/// The help of the program, in lines of at most `width` columns where words allow it.
[[nodiscard]] std::string help_text(const Program& program, std::size_t width);
/// The help of a command. Examples are not broken, so that they can be copied.
[[nodiscard]] std::string help_text(const Command& command, std::size_t width);

/// "lbw fit [OPTIONS] FILE..."
[[nodiscard]] std::string usage_of(const Command& command);

/// The help of an option with its default: "Maximum number of EM steps (default: 100)".
[[nodiscard]] std::string full_help(const Declaration& declaration);

}  // namespace lbw::cli
