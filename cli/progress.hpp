// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>

namespace lbw::cli {

/// One line on standard error that tells how far the work is: only on a terminal, only once the
/// work has lasted half a second, and gone when the work is done.
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

/// Seconds since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace lbw::cli
