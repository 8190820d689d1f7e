// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace lbw::cli {

/// Measures the seconds since its construction.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A progress line on standard error. It is shown only on a terminal and only after half a second,
/// and removed at the end. It is never wider than the terminal.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows a text. If the fraction of the work that is done is known, it begins with a percentage
  /// and the time that is left at the same speed.
  void show(const std::string& text, std::optional<double> fraction = std::nullopt);
  /// Measures the time that is left from now on, for a new piece of work.
  void restart() { watch_ = Stopwatch(); }
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool is_on_;
  std::size_t shown_width_ = 0;  // of the line on the terminal; 0 if there is none
  Clock::time_point next_;
  Stopwatch watch_;
};

/// "42 %, 3 min left: " for a fraction of 0.42 after some seconds; the time is left out until a
/// hundredth is done.
[[nodiscard]] std::string progress_prefix(double fraction, double seconds);

}  // namespace lbw::cli
