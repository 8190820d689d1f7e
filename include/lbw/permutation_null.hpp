// SPDX-License-Identifier: MIT
#pragma once

namespace lbw {

/// What a measure of two samples is by chance alone: its values when their points are dealt out
/// anew at random, as many to each sample as before. Two samples of one distribution look like
/// that.
struct PermutationNull {
  int n_permutations = 0;  ///< deals; 0: none was asked for, and the rest means nothing
  double mean = 0.0;       ///< of the measure over the deals
  double quantile = 0.0;   ///< 95 % of the deals are at most so large
  /// Share of deals that are at least as large as the value seen, which counts as one of them.
  double p_value = 1.0;
  double deviation = 0.0;  ///< standard deviation of the measure over the deals
};

}  // namespace lbw
