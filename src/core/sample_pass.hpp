// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <lbw/samples.hpp>

namespace lbw {

/// A walk over samples in ascending order that gives them back to their storage on the way, so
/// that samples in a file take no more memory than a piece of about a MiB for every walk.
class SamplePass {
 public:
  explicit SamplePass(SampleView samples, Index first = 0)
      : samples_(samples), released_(first), used_(first) {}
  ~SamplePass() { release(); }
  SamplePass(const SamplePass&) = delete;
  SamplePass& operator=(const SamplePass&) = delete;

  /// The samples before `end` have been used.
  void used_up_to(Index end) {
    used_ = end;
    if (used_ - released_ >= piece_) release();
  }

 private:
  void release() {
    samples_.release(released_, used_ - released_);
    released_ = used_;
  }

  static constexpr Index values_a_piece = Index{1} << 17;  // a MiB of doubles

  SampleView samples_;
  Index piece_ = std::max<Index>(1, values_a_piece / std::max<Index>(1, samples_.n_features()));
  Index released_;
  Index used_;
};

}  // namespace lbw
