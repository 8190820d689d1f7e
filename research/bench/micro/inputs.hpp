// SPDX-License-Identifier: MIT
// Seeded inputs for the timing programs.
#pragma once

#include <cstdint>
#include <lbw/lbw.hpp>

namespace lbw::bench {

/// A matrix of standard normal draws.
inline RowMatrix normal_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  RowMatrix values(rows, columns);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = random.normal();
  return values;
}

/// A Gaussian with a random mean and a well conditioned random covariance.
inline Gaussian random_gaussian(Index n_features, std::uint64_t seed) {
  const RowMatrix factor = normal_matrix(n_features, 2 * n_features, seed);
  const double scale = 1.0 / static_cast<double>(2 * n_features);
  return {normal_matrix(n_features, 1, seed + 1), scale * (factor * factor.transpose())};
}

/// Equal weights, and means that are ten standard deviations apart.
inline Mixture random_mixture(Index n_components, Index n_features, std::uint64_t seed) {
  Mixture mixture;
  mixture.weights = Vector::Constant(n_components, 1.0 / static_cast<double>(n_components));
  mixture.means = 10.0 * normal_matrix(n_components, n_features, seed);
  for (Index i = 0; i < n_components; ++i) {
    const auto component_seed = seed + 2 * static_cast<std::uint64_t>(i) + 1;
    mixture.covariances.push_back(random_gaussian(n_features, component_seed).covariance);
  }
  return mixture;
}

}  // namespace lbw::bench
