// SPDX-License-Identifier: MIT
// Made-up mixtures and samples of them.
#pragma once

#include <lbw/fit_mixture.hpp>
#include <lbw/mixture.hpp>

#include "support/generators.hpp"
#include "support/mixture_oracles.hpp"

namespace lbw {

inline constexpr CovarianceType all_covariance_types[] = {
    CovarianceType::full, CovarianceType::tied, CovarianceType::diagonal,
    CovarianceType::spherical};

struct MixtureSettings {
  Index n_components = 3;
  Index n_features = 2;
  CovarianceType covariance_type = CovarianceType::full;
  double spread = 4.0;  ///< standard deviation of the means; the components have about 1
  std::uint64_t seed = 0;
};

inline Mixture random_mixture(const MixtureSettings& settings) {
  Random random(settings.seed);
  const Index k = settings.n_components;
  Mixture mixture{settings.covariance_type, Vector(k), RowMatrix(k, settings.n_features), {}};
  for (Index i = 0; i < k; ++i) {
    mixture.weights[i] = 0.5 + random.uniform();
    const Gaussian component = random_gaussian(settings.n_features, random);
    mixture.means.row(i) = settings.spread * component.mean.transpose();
    const auto covariance = component.covariance.cast<long double>();
    if (i == 0 || settings.covariance_type != CovarianceType::tied) {
      mixture.covariances.push_back(oracle::compact(covariance, settings.covariance_type));
    }
  }
  mixture.weights /= mixture.weights.sum();
  return mixture;
}

/// Largest relative difference between two mixtures of one order of components.
inline double mixture_error(const Mixture& actual, const Mixture& expected) {
  double error = std::max(relative_error(actual.weights, expected.weights),
                          relative_error(actual.means, expected.means));
  for (std::size_t i = 0; i < expected.covariances.size(); ++i) {
    error = std::max(error, relative_error(actual.covariances[i], expected.covariances[i]));
  }
  return error;
}

inline bool all_finite(const Mixture& mixture) {
  bool finite = mixture.weights.allFinite() && mixture.means.allFinite();
  for (const Matrix& covariance : mixture.covariances) finite = finite && covariance.allFinite();
  return finite;
}

}  // namespace lbw
