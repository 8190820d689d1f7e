// SPDX-License-Identifier: MIT
#include "cli/progress.hpp"

#include <unistd.h>

#include <iostream>

namespace lbw::cli {

namespace {

constexpr std::chrono::milliseconds patience{500};
constexpr std::chrono::milliseconds interval{100};
constexpr const char* start_of_line_and_clear = "\r\x1b[K";

}  // namespace

Progress::Progress(bool quiet)
    : is_on_(!quiet && isatty(STDERR_FILENO) != 0), next_(Clock::now() + patience) {}

Progress::~Progress() { clear(); }

void Progress::show(const std::string& text) {
  if (!is_on_ || Clock::now() < next_) return;
  std::cerr << start_of_line_and_clear << text << std::flush;
  is_shown_ = true;
  next_ = Clock::now() + interval;
}

void Progress::clear() {
  if (is_shown_) std::cerr << start_of_line_and_clear << std::flush;
  is_shown_ = false;
}

}  // namespace lbw::cli
