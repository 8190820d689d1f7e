// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

namespace lbw {

/// The number of samples that weights represent, with sums that cannot overflow.
struct SampleCount {
  /// The sum of the weights, because a weight of 2 counts as two copies, or Kish's effective sample
  /// size (sum w)^2 / sum w^2 if that is larger, for instance if weights sum to 1. At most 1e300.
  double count = 0.0;
  double effective = 0.0;  ///< Kish's effective sample size
  double scale = 1.0;      ///< a power of two; weights times this have a finite sum
  double unit = 1.0;       ///< the weight of one copy, times `scale`
};

/// @param weights  finite, >= 0, not all 0
[[nodiscard]] SampleCount sample_count(std::span<const double> weights);

/// The number of samples that each weight represents; they sum to SampleCount::count.
[[nodiscard]] std::vector<double> copies_of(std::span<const double> weights);

}  // namespace lbw
