// SPDX-License-Identifier: MIT
#include "cli/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace lbw::cli {

namespace {

// The signal that came, or 0. Read by other threads, and lock-free as signal handlers require.
std::atomic<int> signal_number = 0;
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void note_signal(int number) { signal_number.store(number, std::memory_order_relaxed); }

}  // namespace

void watch_signals() {
  struct sigaction action = {};
  action.sa_handler = note_signal;
  // SA_RESETHAND: the second signal has its default effect, in case the work never reaches a step
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // a closed pipe becomes a write error with a message instead of ending the program silently
  std::signal(SIGPIPE, SIG_IGN);
}

void stop_if_interrupted(const std::string& state) {
  const int number = signal_number.load(std::memory_order_relaxed);
  if (number != 0) throw Interrupted("interrupted, " + state, number);
}

}  // namespace lbw::cli
