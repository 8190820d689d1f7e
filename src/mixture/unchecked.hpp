// SPDX-License-Identifier: MIT
// Public functions for arguments that were checked before.
#pragma once

#include <lbw/fit_mixture.hpp>
#include <lbw/mixture.hpp>

#include "device/tables.hpp"

namespace lbw {

[[nodiscard]] Vector log_density_unchecked(const Mixture& mixture, SampleView samples,
                                           const Execution& execution);

[[nodiscard]] double mean_log_likelihood_unchecked(const Mixture& mixture, SampleView samples,
                                                   const Execution& execution);

/// fit_mixture without checks. Samples of weight 0 are not copied, but they change the order of
/// sums.
[[nodiscard]] MixtureFit fit_mixture_unchecked(const WeightedSamples& samples,
                                               const MixtureOptions& options);

}  // namespace lbw
