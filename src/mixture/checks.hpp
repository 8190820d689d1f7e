// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_mixture.hpp>

#include "device/tables.hpp"

namespace lbw {

/// Empty, or one per sample: >= 0, finite, not all 0.
void check_sample_weights(const WeightedSamples& samples, const char* function);

/// Everything that fit_mixture asks of its arguments.
void check_fit_arguments(const WeightedSamples& samples, const MixtureOptions& options);

}  // namespace lbw
