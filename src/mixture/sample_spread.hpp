// SPDX-License-Identifier: MIT
#pragma once

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

}  // namespace lbw
