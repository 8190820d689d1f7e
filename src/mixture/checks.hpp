// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <lbw/fit_mixture.hpp>
#include <string>

#include "device/tables.hpp"

namespace lbw {

/// Throws as check_mixture does. `factor` says whether a compact covariance is positive definite; a
/// caller that needs the factors keeps them, so that no covariance is factored twice.
void check_mixture_by(const std::function<bool(const Matrix& compact)>& factor,
                      const Mixture& mixture, const char* function, const char* argument);

/// Throws as check_mixture does if the covariance at this position is not positive definite.
void check_positive_definite(const Mixture& mixture, Index position, const char* function,
                             const std::string& argument);

/// The table of a mixture. It throws as check_mixture does.
[[nodiscard]] DensityTable checked_density_table(const Mixture& mixture, const char* function,
                                                 const char* argument);

/// Checks that weights are empty, or one per sample: >= 0 and finite.
void check_each_weight(const WeightedSamples& samples, const char* function);

/// The same, and that they are not all 0.
void check_sample_weights(const WeightedSamples& samples, const char* function);

/// Checks the weights of a block of samples, which may all be 0, but must have a finite sum.
void check_block_weights(const WeightedSamples& samples, const char* function);

/// Throws InvalidArgument if sums of large weights and features have overflowed.
void check_finite_sums(const MomentSums& sums, const char* function);

/// The same, and if products of small weights and variances of the mixture have underflowed.
void check_range_of_sums(const MomentSums& sums, const Mixture& mixture, const char* function);

/// Checks the options of fit_mixture that depend on the samples, of which n_positive have a
/// positive weight.
void check_fit_options(const MixtureOptions& options, Index n_features, Index n_positive,
                       bool has_weights);

/// Checks all arguments of fit_mixture.
void check_fit_arguments(const WeightedSamples& samples, const MixtureOptions& options);

/// The same without the values of the samples.
void check_fit_settings(const WeightedSamples& samples, const MixtureOptions& options);

}  // namespace lbw
