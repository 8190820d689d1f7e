// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/moment_sums.hpp>
#include <lbw/types.hpp>

#include "device/tables.hpp"

namespace lbw {

/// Moments for random responsibilities: the responsibilities of a sample are proportional to
/// uniform draws. The moments are about the mean of all samples.
[[nodiscard]] MomentSums random_shares(const WeightedSamples& samples, Index n_components,
                                       CovarianceType type, Random& random,
                                       const Execution& execution);

}  // namespace lbw
