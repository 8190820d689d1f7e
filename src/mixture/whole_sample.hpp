// SPDX-License-Identifier: MIT
// Statistics of all samples of a fit, which its starts and its regularization need.
#pragma once

#include <lbw/fit_mixture.hpp>

#include "device/tables.hpp"
#include "mixture/sample_spread.hpp"
#include "mixture/start.hpp"

namespace lbw {

struct CountedSamples {
  double n_positive = 0.0;  ///< samples with a weight above 0
  double copies = 1.0;      ///< copies behind each of them (sample_count)
};
[[nodiscard]] CountedSamples counted_samples(const WeightedSamples& samples);

/// Covariance and regularization of a fit.
/// @throws NumericalError  if the regularized covariance is singular
[[nodiscard]] WholeSample whole_sample(const SampleSpread& spread, const CountedSamples& count,
                                       const MixtureOptions& options);

/// Whether a fit follows from the mean and covariance of the samples, without EM.
[[nodiscard]] bool is_single(const MixtureOptions& options);

/// The fit of one component. EM from any start reaches the mean and covariance of the samples in
/// its first step and does not change them in the second.
[[nodiscard]] MixtureFit single_component(const WholeSample& whole, const MixtureOptions& options);

}  // namespace lbw
