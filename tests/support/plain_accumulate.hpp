// SPDX-License-Identifier: MIT
// Adds the moments of a block of samples to moment sums.
#pragma once

#include <lbw/moment_sums.hpp>
#include <vector>

#include "support/plain_block.hpp"

namespace lbw {

/// @param responsibilities  (n_components): one lane each
/// @param log_density       of each point; updates the log-likelihood and the worst sample
/// @param differences       buffer of n_features lanes
void accumulate_moments(const SampleBlock& block, const std::vector<Lane>& responsibilities,
                        const Lane& log_density, std::vector<Lane>& differences, MomentSums& sums);

}  // namespace lbw
