// SPDX-License-Identifier: MIT
// Ctrl-C and SIGTERM: work ends at the next step, and files are unchanged.
#pragma once

#include <stdexcept>
#include <string>

namespace lbw::cli {

class Interrupted : public std::runtime_error {
 public:
  Interrupted(const std::string& text, int signal) : std::runtime_error(text), signal_(signal) {}

  [[nodiscard]] int signal() const { return signal_; }

 private:
  int signal_;
};

/// Handles signals from now on: the first SIGINT or SIGTERM is recorded, a second one ends the
/// program.
void watch_signals();

/// Throws Interrupted with the text "interrupted, <state>" if a signal was received.
void stop_if_interrupted(const std::string& state = "nothing was written");

}  // namespace lbw::cli
