// SPDX-License-Identifier: MIT
#include "cli/interrupt.hpp"

#include <atomic>

#include "cli/system.hpp"

namespace lbw::cli {

namespace {

// The signal that came, or 0. Read by other threads, and lock-free as signal handlers require.
std::atomic<int> signal_number = 0;
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void note_signal(int number) { signal_number.store(number, std::memory_order_relaxed); }

}  // namespace

void watch_signals() {
  system::on_interrupt(note_signal);
  system::report_closed_pipes();
}

void stop_if_interrupted(const std::string& state) {
  const int number = signal_number.load(std::memory_order_relaxed);
  if (number != 0) throw Interrupted("interrupted, " + state, number);
}

}  // namespace lbw::cli
