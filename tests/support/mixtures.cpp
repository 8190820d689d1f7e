// SPDX-License-Identifier: MIT
#include "support/mixtures.hpp"

#include <algorithm>

namespace lbw {

Mixture random_mixture(const MixtureSettings& settings) {
  Random random(settings.seed);
  const Index k = settings.n_components;
  Mixture mixture{settings.covariance_type, Vector(k), RowMatrix(k, settings.n_features), {}};
  for (Index i = 0; i < k; ++i) {
    mixture.weights[i] = 0.5 + random.uniform();
    const Gaussian component = random_gaussian(settings.n_features, random);
    mixture.means.row(i) = settings.spread * component.mean.transpose();
    if (i == 0 || settings.covariance_type != CovarianceType::tied) {
      const oracle::LongMatrix covariance = component.covariance.cast<long double>();
      mixture.covariances.push_back(oracle::compact(covariance, settings.covariance_type));
    }
  }
  mixture.weights /= mixture.weights.sum();
  return mixture;
}

double mixture_error(const Mixture& actual, const Mixture& expected) {
  double error = std::max(relative_error(actual.weights, expected.weights),
                          relative_error(actual.means, expected.means));
  for (std::size_t i = 0; i < expected.covariances.size(); ++i) {
    error = std::max(error, relative_error(actual.covariances[i], expected.covariances[i]));
  }
  return error;
}

bool all_finite(const Mixture& mixture) {
  bool finite = mixture.weights.allFinite() && mixture.means.allFinite();
  for (const Matrix& covariance : mixture.covariances) finite = finite && covariance.allFinite();
  return finite;
}

}  // namespace lbw
