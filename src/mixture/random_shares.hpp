// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/moment_sums.hpp>
#include <lbw/types.hpp>

#include "device/tables.hpp"

namespace lbw {

/// Moments of samples that are shared out at random: of every sample, component j gets a share in
/// proportion to a uniform draw. They are about the mean of all samples.
[[nodiscard]] MomentSums random_shares(const WeightedSamples& samples, Index n_components,
                                       CovarianceType type, Random& random,
                                       const Execution& execution);

}  // namespace lbw
