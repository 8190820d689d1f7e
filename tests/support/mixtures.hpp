// SPDX-License-Identifier: MIT
// Random mixtures, and the difference of two.
#pragma once

#include <cstdint>
#include <lbw/fit_mixture.hpp>

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

[[nodiscard]] Mixture random_mixture(const MixtureSettings& settings);

/// Largest relative difference between two mixtures with the same order of components.
[[nodiscard]] double mixture_error(const Mixture& actual, const Mixture& expected);

[[nodiscard]] bool all_finite(const Mixture& mixture);

}  // namespace lbw
