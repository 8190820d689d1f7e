// SPDX-License-Identifier: MIT
#pragma once

namespace lbw {

/// The null distribution of a measure of two samples: its values when their points are assigned to
/// the samples at random, as many to each as before. Two samples of one distribution look like
/// that.
struct PermutationNull {
  int n_permutations = 0;  ///< 0: none was asked for, and the rest means nothing
  double mean = 0.0;       ///< of the measure over the permutations
  double quantile = 0.0;   ///< 95 % of the permutations are at most so large
  /// Fraction of permutations that are at least as large as the value seen, which counts as one of
  /// them.
  double p_value = 1.0;
  double deviation = 0.0;  ///< standard deviation of the measure over the permutations
};

}  // namespace lbw
