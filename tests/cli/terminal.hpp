// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <string>

namespace lbw {

/// A pseudo-terminal for the test.
class Terminal {
 public:
  explicit Terminal(unsigned short n_columns = 80) : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master_ < 0 || ::grantpt(master_) || ::unlockpt(master_)) return;
    path_ = ::ptsname(master_);
    slave_ = ::open(path_.c_str(), O_RDWR | O_NOCTTY);
    resize(n_columns);
  }
  ~Terminal() {
    ::close(slave_);
    ::close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

  void resize(unsigned short n_columns) const {
    const winsize size = {24, n_columns, 0, 0};
    (void)::ioctl(slave_, TIOCSWINSZ, &size);
  }

  /// The output until `part` appears or the time limit is reached.
  std::string read_until(const std::string& part, std::chrono::seconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (seen_.find(part) == std::string::npos && std::chrono::steady_clock::now() < end) {
      pollfd ready = {master_, POLLIN, 0};
      if (::poll(&ready, 1, 50) <= 0) continue;
      char buffer[4096];
      const ssize_t count = ::read(master_, buffer, sizeof(buffer));
      if (count > 0) seen_.append(buffer, static_cast<std::size_t>(count));
    }
    return seen_;
  }

  /// Forgets the output that was read.
  void forget() { seen_.clear(); }

 private:
  int master_ = -1;
  int slave_ = -1;
  std::string path_;
  std::string seen_;
};

}  // namespace lbw
