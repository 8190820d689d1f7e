// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>

namespace lbw::cli {

/// A progress line on standard error. It is shown only on a terminal and only after half a second,
/// and removed at the end.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& text);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool is_on_;
  bool is_shown_ = false;
  Clock::time_point next_;
};

/// Measures the seconds since its construction.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace lbw::cli
