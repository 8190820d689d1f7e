// SPDX-License-Identifier: MIT
// The stages of a fit that samples in memory and sources of rows share.
#pragma once

#include <functional>
#include <lbw/fit_mixture.hpp>

#include "device/tables.hpp"
#include "mixture/em_run.hpp"
#include "mixture/start.hpp"

namespace lbw {

/// The number of samples on which EM starts; n_samples or more: all. By default they are more if
/// weights are so uneven that few of the samples count.
/// @param effective  Kish's effective sample size of the weights
[[nodiscard]] Index samples_to_start_on(Index n_samples, double effective, Index n_features,
                                        const MixtureOptions& options);

/// Fits a subsample and continues on all samples.
/// @param sums_of  the sums of all n_samples samples
[[nodiscard]] MixtureFit fit_from_subsample(const SumsOf& sums_of, Index n_samples,
                                            const WeightedSamples& subsample,
                                            const MixtureOptions& options,
                                            const WholeSample& whole);

/// Fits one component per distinct sample. The others are copies, which do not change the density.
/// @param fit  the fit with other options
[[nodiscard]] MixtureFit fit_with_copies(
    const MixtureOptions& options, Index n_distinct,
    const std::function<MixtureFit(const MixtureOptions&)>& fit);

}  // namespace lbw
