// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/workbench.hpp"

namespace lbw {

/// A command that `lbw` must reject, and the expected message.
struct BadRow {
  std::vector<std::string> arguments;  ///< the verb first
  int exit_code = 0;
  std::string message;     ///< behind "lbw <verb>: "; a hint at --help follows for exit code 2
  std::string input = {};  ///< standard input
};

/// Runs every row in `bench`. The exit code and the message must be as expected, nothing may be
/// printed to standard output, and no file of the folder may be created, removed or changed. The
/// folder has kept.safetensors, kept.csv, kept.npy and kept.png, for outputs.
void expect_refused(const Workbench& bench, const std::vector<BadRow>& rows);

}  // namespace lbw
