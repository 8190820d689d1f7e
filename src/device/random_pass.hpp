// SPDX-License-Identifier: MIT
// Random starts of k-means and EM. Their numbers come from one stream, in the order of the samples.
#pragma once

#include <lbw/moment_sums.hpp>
#include <lbw/types.hpp>
#include <span>
#include <vector>

#include "device/tables.hpp"

namespace lbw {

/// For every fraction, the first sample at which the cumulative sum of weight * distance exceeds
/// this fraction of its total, or the last one with mass if rounding keeps the sum below it. Empty
/// if the total is 0.
[[nodiscard]] std::vector<Index> draws_by_distance(const WeightedSamples& samples,
                                                   const Vector& distances,
                                                   std::span<const double> fractions);

/// Moments about the center for random responsibilities: those of a sample are proportional to
/// uniform draws.
[[nodiscard]] MomentSums random_sums(const WeightedSamples& samples, const Vector& center,
                                     Index n_components, CovarianceType type, Random& random);

}  // namespace lbw
