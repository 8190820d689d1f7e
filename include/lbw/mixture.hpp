// SPDX-License-Identifier: MIT
// Gaussian mixtures: densities, responsibilities, draws and criteria (Eq. 7-8).
#pragma once

#include <cstdint>
#include <lbw/gaussian.hpp>
#include <lbw/moment_sums.hpp>
#include <lbw/samples.hpp>
#include <lbw/types.hpp>
#include <vector>

namespace lbw {

/// A Gaussian mixture, Eq. 7.
struct Mixture {
  CovarianceType covariance_type = CovarianceType::full;
  Vector weights;   ///< (n_components), >= 0, summing to 1
  RowMatrix means;  ///< (n_components, n_features)
  /// full: n_components matrices (n_features, n_features); tied: one of them;
  /// diagonal: n_components columns (n_features, 1); spherical: n_components of (1, 1).
  std::vector<Matrix> covariances;

  [[nodiscard]] Index n_components() const { return means.rows(); }
  [[nodiscard]] Index n_features() const { return means.cols(); }
  /// Component i with its covariance written out in full.
  [[nodiscard]] Gaussian component(Index i) const;
};

/// @throws InvalidArgument  unless shapes agree, all is finite, weights are >= 0 and sum to 1
/// within
///                          1e-9, and every covariance is positive definite; `argument` names it
void check_mixture(const Mixture& mixture, const char* function, const char* argument);

/// log p(x) of every sample.
[[nodiscard]] Vector log_density(const Mixture& mixture, SampleView samples,
                                 const Execution& execution = {});

/// Mean of log p(x).
[[nodiscard]] double mean_log_likelihood(const Mixture& mixture, SampleView samples,
                                         const Execution& execution = {});

/// (n_samples, n_components): the probability that a sample came from a component; rows sum to 1. A
/// sample so far out that its squared distance to every component overflows has a row of zeros.
[[nodiscard]] RowMatrix responsibilities(const Mixture& mixture, SampleView samples,
                                         const Execution& execution = {});

/// Hard assignment, Eq. 8: the component of largest responsibility, the lowest of equals.
[[nodiscard]] Labels labels(const Mixture& mixture, SampleView samples,
                            const Execution& execution = {});

struct MixtureSample {
  RowMatrix samples;  ///< (n_samples, n_features)
  Labels labels;      ///< the component each was drawn from
};

/// n_samples independent draws, a function of the mixture and the seed alone.
[[nodiscard]] MixtureSample sample(const Mixture& mixture, Index n_samples, std::uint64_t seed);

/// Free parameters of the mixture: weights, means and covariances of its type.
[[nodiscard]] Index n_parameters(const Mixture& mixture);

/// Akaike's criterion: 2 n_parameters - 2 log-likelihood of the samples. Lower is better.
[[nodiscard]] double aic(const Mixture& mixture, SampleView samples,
                         const Execution& execution = {});

/// Bayes' criterion: n_parameters log(n_samples) - 2 log-likelihood of the samples.
[[nodiscard]] double bic(const Mixture& mixture, SampleView samples,
                         const Execution& execution = {});

}  // namespace lbw
