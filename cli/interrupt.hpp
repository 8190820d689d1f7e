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

/// Names the running command in the message of EndAtOnce, for example "lbw fit".
void name_command(const std::string& name);

/// While it exists, SIGINT and SIGTERM end the program at once with this message, instead of at its
/// next step, which it never reaches if it waits for the other end of a pipe. The program must not
/// have temporary files. Only one exists at a time.
class EndAtOnce {
 public:
  /// @param shows_progress  whether there may be a line of progress to clear
  explicit EndAtOnce(const std::string& state = "nothing was written", bool shows_progress = true);
  ~EndAtOnce();
  EndAtOnce(const EndAtOnce&) = delete;
  EndAtOnce& operator=(const EndAtOnce&) = delete;
};

/// Throws Interrupted with the text "interrupted, <state>" if a signal was received.
void stop_if_interrupted(const std::string& state = "nothing was written");

}  // namespace lbw::cli
