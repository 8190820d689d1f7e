// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace lbw {

/// Weights that count copies of samples, as sums that cannot overflow.
struct SampleCount {
  /// How many samples stand behind the weights: their sum, since a weight of 2 counts as the sample
  /// twice; or Kish's effective size (sum w)^2 / sum w^2 where that is more, as for weights that
  /// sum to 1. At most 1e300.
  double count = 0.0;
  double scale = 1.0;  ///< a power of two; weights times this have a finite sum
  double unit = 1.0;   ///< what one copy weighs, times `scale`
};

/// @param weights  finite, >= 0, not all 0
[[nodiscard]] SampleCount sample_count(std::span<const double> weights);

}  // namespace lbw
