// SPDX-License-Identifier: MIT
// Fits from several starts, of which the best is kept.
#pragma once

#include <lbw/fit_mixture.hpp>

#include "device/tables.hpp"
#include "mixture/start.hpp"

namespace lbw {

/// The best of n_init fits from different starts.
[[nodiscard]] MixtureFit best_fit(const WeightedSamples& samples, const MixtureOptions& options,
                                  const WholeSample& whole);

/// The best of n_init fits to a subsample of n_samples samples.
[[nodiscard]] MixtureFit best_rough_fit(Index n_samples, const WeightedSamples& subsample,
                                        const MixtureOptions& options, const WholeSample& whole);

/// The precision of steps that only find a start: single precision, which is twice as fast, unless
/// there are few samples or the likelihood has to be more accurate. The steps after them are those
/// of the precision of the options.
[[nodiscard]] Precision precision_of_start(const MixtureOptions& options, Index n_samples);

}  // namespace lbw
