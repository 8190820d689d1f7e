// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <lbw/samples.hpp>
#include <mutex>
#include <vector>

namespace lbw {

/// Records which rows of a matrix are released.
class RecordingStorage final : public SampleStorage {
 public:
  explicit RecordingStorage(const RowMatrix& samples) : samples_(samples) { forget(); }

  [[nodiscard]] SampleView view() const {
    return {samples_.data(), samples_.rows(), samples_.cols(), samples_.cols(), this};
  }

  void release(const void* first_byte, std::size_t n_bytes) const noexcept override {
    const std::lock_guard lock(mutex_);
    const Index first = static_cast<const double*>(first_byte) - samples_.data();
    const auto count = static_cast<Index>(n_bytes / sizeof(double));
    for (Index at = first; at < first + count; ++at) released_[static_cast<std::size_t>(at)] = true;
    largest_ = std::max(largest_, n_bytes);
  }

  [[nodiscard]] bool all_released() const {
    return std::find(released_.begin(), released_.end(), false) == released_.end();
  }
  [[nodiscard]] Index n_released() const {
    return std::count(released_.begin(), released_.end(), true);
  }
  /// Size of the largest released piece in bytes.
  [[nodiscard]] std::size_t largest() const { return largest_; }

  void forget() {
    released_.assign(static_cast<std::size_t>(samples_.size()), false);
    largest_ = 0;
  }

 private:
  const RowMatrix& samples_;
  mutable std::mutex mutex_;
  mutable std::vector<bool> released_;
  mutable std::size_t largest_ = 0;
};

}  // namespace lbw
