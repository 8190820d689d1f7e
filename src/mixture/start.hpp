// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_mixture.hpp>

#include "device/tables.hpp"

namespace lbw {

/// True when there are at least `wanted` different samples of positive weight.
[[nodiscard]] bool has_distinct_samples(const WeightedSamples& samples, Index wanted);

/// The mixture from which EM starts, of options.start.
/// @param spread   covariance of all samples, floor included, positive definite
/// @param restart  the stream of options.seed to draw from
[[nodiscard]] Mixture starting_mixture(const WeightedSamples& samples,
                                       const MixtureOptions& options, const Matrix& spread,
                                       int restart);

}  // namespace lbw
