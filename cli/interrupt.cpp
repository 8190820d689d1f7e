// SPDX-License-Identifier: MIT
#include "cli/interrupt.hpp"

#include <atomic>

#include "cli/command_line.hpp"
#include "cli/system.hpp"
#include "cli/terminal.hpp"

namespace lbw::cli {

namespace {

// The signal that came, or 0. Read by other threads, and lock-free as signal handlers require.
std::atomic<int> signal_number = 0;
static_assert(std::atomic<int>::is_always_lock_free);

std::string command_name = "lbw";
std::string last_words;                  // unchanged while the handler may print them
std::atomic<bool> ends_at_once = false;  // the handler ends the program
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void note_signal(int number) {
  signal_number.store(number, std::memory_order_relaxed);
  if (ends_at_once) system::end_at_once(last_words, exit_by_signal + number);
}

}  // namespace

void watch_signals() {
  system::on_interrupt(note_signal);
  system::report_closed_pipes();
}

void name_command(const std::string& name) { command_name = name; }

EndAtOnce::EndAtOnce(const std::string& state, bool shows_progress) {
  // a progress line stays when the handler ends the program
  const std::string clear_line = shows_progress && system::is_terminal(stderr) ? "\r\x1b[K" : "";
  last_words = clear_line + painted(command_name + ":", Paint::red, stderr) + " interrupted, " +
               state + "\n";
  ends_at_once = true;
  try {
    stop_if_interrupted(state);  // a signal before this moment was only noted
  } catch (const Interrupted&) {
    ends_at_once = false;
    throw;
  }
}

EndAtOnce::~EndAtOnce() { ends_at_once = false; }

void stop_if_interrupted(const std::string& state) {
  const int number = signal_number.load(std::memory_order_relaxed);
  if (number != 0) throw Interrupted("interrupted, " + state, number);
}

}  // namespace lbw::cli
