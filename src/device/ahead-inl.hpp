// SPDX-License-Identifier: MIT
#if defined(LBW_DEVICE_AHEAD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef LBW_DEVICE_AHEAD_INL_HPP
#undef LBW_DEVICE_AHEAD_INL_HPP
#else
#define LBW_DEVICE_AHEAD_INL_HPP
#endif

#include <hwy/cache_control.h>

#include <algorithm>
#include <lbw/samples.hpp>

#include "device/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lbw {
namespace HWY_NAMESPACE {

/// Prefetches memory that is read next, line by line during other work. The hardware prefetcher
/// stops when a stream pauses.
class Ahead {
 public:
  Ahead() = default;
  Ahead(const void* first, const void* last)
      : next_(static_cast<const char*>(first)), last_(static_cast<const char*>(last)) {}

  /// The samples of the block that begins at `first`.
  Ahead(SampleView samples, Index first, Index n_points)
      : Ahead(samples.row_data(std::min(first, samples.n_samples())),
              samples.row_data(std::min(first + n_points, samples.n_samples()))) {}

  HWY_INLINE void fetch_line() {
    if (next_ >= last_) return;
    hwy::Prefetch(next_);
    next_ += line;
  }

  HWY_INLINE void fetch_lines(Index n) {
    for (Index i = 0; i < n; ++i) fetch_line();
  }

  [[nodiscard]] Index n_lines() const { return (last_ - next_ + line - 1) / line; }

 private:
  static constexpr Index line = 64;

  const char* next_ = nullptr;
  const char* last_ = nullptr;
};

}  // namespace HWY_NAMESPACE
}  // namespace lbw
HWY_AFTER_NAMESPACE();
#endif
