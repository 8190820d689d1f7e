// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <lbw/samples.hpp>

namespace lbw {

/// A pass over samples in ascending order that releases used samples to their storage. Samples in a
/// file then need only about one MiB of memory per pass.
class SamplePass {
 public:
  explicit SamplePass(SampleView samples, Index first = 0)
      : samples_(samples), released_(first), used_(first) {}
  ~SamplePass() { release(); }
  SamplePass(const SamplePass&) = delete;
  SamplePass& operator=(const SamplePass&) = delete;

  /// Marks all samples before `end` as used.
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
