// SPDX-License-Identifier: MIT
#include "cli/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace lbw::cli {

namespace {

// read by other threads, and lock-free as signal handlers require
std::atomic<bool> signal_came = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void note_signal(int) { signal_came.store(true, std::memory_order_relaxed); }

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
  if (signal_came.load(std::memory_order_relaxed)) throw Interrupted("interrupted, " + state);
}

}  // namespace lbw::cli
