// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <lbw/types.hpp>

#include "device/tables.hpp"

namespace lbw {

/// Weighted mean and covariance of the samples, the latter in the compact shape of a type: no
/// products of features are taken where variances are enough.
struct SampleSpread {
  Vector mean;
  Matrix covariance;
};
[[nodiscard]] SampleSpread sample_spread(const WeightedSamples& samples, CovarianceType type,
                                         const Execution& execution);

/// The same for any rows, by one or two passes. Moments are taken about a rough mean rather than
/// the origin, so that data far from 0 keep their digits.
/// @param sums_about  the sums of one component with this center
[[nodiscard]] SampleSpread sample_spread(const std::function<MomentSums(const Vector&)>& sums_about,
                                         const Vector& middle, CovarianceType type);

/// The weighted mean of a thousand samples here and there.
[[nodiscard]] Vector rough_mean(const WeightedSamples& samples);

}  // namespace lbw
