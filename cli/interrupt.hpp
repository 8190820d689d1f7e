// SPDX-License-Identifier: MIT
// Ctrl-C and SIGTERM: work ends at the next step, files stay as they were.
#pragma once

#include <stdexcept>
#include <string>

namespace lbw::cli {

class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// From here on the first SIGINT or SIGTERM is noted; a second one ends the program at once.
void watch_signals();

/// Throws Interrupted, "interrupted, <state>", when a signal has come.
void stop_if_interrupted(const std::string& state = "nothing was written");

}  // namespace lbw::cli
