// SPDX-License-Identifier: MIT
// Gaussian mixtures: densities, responsibilities, sampling and information criteria (Eq. 7-8).
#pragma once

#include <cstdint>
#include <lbw/gaussian.hpp>
#include <lbw/moment_sums.hpp>
#include <lbw/samples.hpp>
#include <lbw/types.hpp>
#include <vector>

namespace lbw {

/// A Gaussian mixture (Eq. 7).
struct Mixture {
  CovarianceType covariance_type = CovarianceType::full;
  Vector weights;   ///< (n_components), >= 0, summing to 1
  RowMatrix means;  ///< (n_components, n_features)
  /// full: n_components matrices (n_features, n_features); tied: one such matrix;
  /// diagonal: n_components columns (n_features, 1); spherical: n_components of (1, 1).
  std::vector<Matrix> covariances;

  [[nodiscard]] Index n_components() const { return means.rows(); }
  [[nodiscard]] Index n_features() const { return means.cols(); }
  /// Component i with its full covariance matrix.
  [[nodiscard]] Gaussian component(Index i) const;
};

/// Checks a mixture. `argument` is its name in messages.
///
/// @throws InvalidArgument  unless the shapes agree, all values are finite, the weights are >= 0
///                          and sum to 1 within 1e-9, and every covariance is positive definite
void check_mixture(const Mixture& mixture, const char* function, const char* argument);

/// The log-density log p(x) of every sample.
[[nodiscard]] Vector log_density(const Mixture& mixture, SampleView samples,
                                 const Execution& execution = {});

/// The mean of log p(x) over the samples.
[[nodiscard]] double mean_log_likelihood(const Mixture& mixture, SampleView samples,
                                         const Execution& execution = {});

/// (n_samples, n_components): the probability that each sample belongs to each component. Rows sum
/// to 1. If the squared distances of a sample to all components overflow, its row is zero.
[[nodiscard]] RowMatrix responsibilities(const Mixture& mixture, SampleView samples,
                                         const Execution& execution = {});

/// Hard assignment (Eq. 8): the component of largest responsibility; ties go to the lowest index.
[[nodiscard]] Labels labels(const Mixture& mixture, SampleView samples,
                            const Execution& execution = {});

struct MixtureSample {
  RowMatrix samples;  ///< (n_samples, n_features)
  Labels labels;      ///< the component of each sample
};

/// Draws n_samples independent samples. The result depends only on the mixture and the seed.
[[nodiscard]] MixtureSample sample(const Mixture& mixture, Index n_samples, std::uint64_t seed);

/// The number of free parameters in weights, means and covariances.
[[nodiscard]] Index n_parameters(const Mixture& mixture);

/// Akaike information criterion: 2 n_parameters - 2 log-likelihood of the samples. Lower is better.
[[nodiscard]] double aic(const Mixture& mixture, SampleView samples,
                         const Execution& execution = {});

/// Bayesian information criterion: n_parameters log(n_samples) - 2 log-likelihood of the samples.
/// Lower is better.
[[nodiscard]] double bic(const Mixture& mixture, SampleView samples,
                         const Execution& execution = {});

}  // namespace lbw
