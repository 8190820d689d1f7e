// SPDX-License-Identifier: MIT
// The sums of a pass of EM as flat arrays, one per chunk of samples.
#pragma once

#include <lbw/moment_sums.hpp>
#include <limits>

#include "device/tables.hpp"

namespace lbw {

struct PassSums {
  /// (n_components, 1 + n_terms): sums of w r and of w r times each term. The terms of a
  /// full covariance are x_a, then x_a x_b for b <= a; of a diagonal one x_a, then x_a^2.
  RowMatrix moments;
  Index n_samples = 0;
  double weight = 0.0;
  double log_likelihood = 0.0;
  double worst_log_density = std::numeric_limits<double>::infinity();
  Index worst_sample = 0;  ///< position among the samples

  PassSums& operator+=(const PassSums& other);

  /// Adds everything of a block except its moments. log_density[i] belongs to sample begin + i.
  template <typename T>
  void add_likelihood(const WeightedSamples& samples, Index begin, Index count,
                      const T* log_density);
};

/// Converts sums about `origins` (one row for all components, or one each) to sums about `centers`.
[[nodiscard]] MomentSums moment_sums_of(const PassSums& pass, const RowMatrix& centers,
                                        CovarianceType covariance_type, const RowMatrix& origins,
                                        SampleView samples);

}  // namespace lbw
