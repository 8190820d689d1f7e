// SPDX-License-Identifier: MIT
#include "cli/progress.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "cli/system.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

constexpr std::chrono::milliseconds patience{500};
constexpr std::chrono::milliseconds interval{100};
constexpr const char* start_of_line_and_clear = "\r\x1b[K";

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole < 90) return to_text(whole) + " s";
  if (whole < 90 * 60) return to_text((whole + 30) / 60) + " min";
  return fixed(seconds / 3600.0, 1) + " h";
}

}  // namespace

std::string progress_prefix(double fraction, double seconds) {
  const double done = std::clamp(fraction, 0.0, 1.0);
  const std::string percent = to_text(static_cast<int>(std::floor(100.0 * done))) + " %";
  if (done < 0.01) return percent + ": ";
  return percent + ", " + duration_text(seconds * (1.0 - done) / done) + " left: ";
}

Progress::Progress(bool quiet)
    : is_on_(!quiet && system::is_terminal(stderr)), next_(Clock::now() + patience) {}

Progress::~Progress() { clear(); }

void Progress::show(const std::string& text, std::optional<double> fraction) {
  if (!is_on_ || Clock::now() < next_) return;
  std::string whole = (fraction ? progress_prefix(*fraction, watch_.seconds()) : "") + text;
  // names of groups come from files and may contain line breaks or escape sequences
  std::ranges::replace_if(
      whole, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, ' ');
  // the last column stays empty, because some terminals begin a new line after it
  const std::size_t width = terminal_width(stderr) - 1;
  const std::string line = clipped(whole, width);
  if (shown_width_ > 0) {
    clear();
  } else {
    std::cerr << start_of_line_and_clear;
  }
  std::cerr << line << std::flush;
  shown_width_ = display_width(line);
  next_ = Clock::now() + interval;
}

void Progress::clear() {
  if (shown_width_ == 0) return;
  // a terminal that has become narrower shows the line on several rows
  const std::size_t rows = (shown_width_ - 1) / terminal_width(stderr);
  if (rows > 0) std::cerr << "\x1b[" << rows << "A\r\x1b[J";
  std::cerr << start_of_line_and_clear << std::flush;
  shown_width_ = 0;
}

}  // namespace lbw::cli
