// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <lbw/parity.hpp>

#include "report/sorted_scores.hpp"

namespace lbw {

/// The confidence interval of the largest distance over all pairs of groups.
///
/// The distance is the largest difference of two distribution functions over all thresholds, so its
/// estimate is biased upwards and a percentile bootstrap around it is biased twice. Both ends are
/// therefore found by inverting tests.
///
/// Upper end. The distance is attained at some threshold, and the estimate is at least the
/// difference seen there. The largest upper limit over all thresholds, each of a difference of two
/// proportions, hence covers the distance at least as often as one of these limits covers its
/// difference.
///
/// Lower end. The estimate exceeds the distance by no more than the largest error of the two
/// empirical distribution functions over thresholds where it can be attained. The bootstrap gives
/// the distribution of that error. If the estimate does not exceed what a random assignment of the
/// groups gives, which is an exact test of equal distributions, the lower end is 0.
///
/// Small groups. The limits of a proportion are exact ones for fewer than 50 rows. The upper end
/// adds the arms of two limits below 8 rows, where the root of their sum of squares is too short.
/// The bootstrap of fewer than 20 rows underestimates the error. The error of a random assignment,
/// which is largest at parity, is then its lower bound.
[[nodiscard]] Interval distance_interval(const SortedScores& scores, const ParityOptions& options,
                                         std::uint32_t seed);

}  // namespace lbw
