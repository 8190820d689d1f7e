// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

namespace lbw {

/// A file opened for reading and closed automatically. Negative, with errno set, on failure.
class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& path)
      : value_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int value() const { return value_; }

 private:
  int value_;
};

}  // namespace lbw
