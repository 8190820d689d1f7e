// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_mixture.hpp>

#include "device/tables.hpp"

namespace lbw {

/// Checks that weights are empty, or one per sample: >= 0, finite, not all 0.
void check_sample_weights(const WeightedSamples& samples, const char* function);

/// Checks all arguments of fit_mixture.
void check_fit_arguments(const WeightedSamples& samples, const MixtureOptions& options);

}  // namespace lbw
