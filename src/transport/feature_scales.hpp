// SPDX-License-Identifier: MIT
// Distances, maps and barycenters in units of every feature's spread.
#pragma once

#include <lbw/gaussian.hpp>
#include <lbw/mixture.hpp>
#include <span>
#include <vector>

namespace lbw {

/// The standard deviation of every feature over all mixtures, each counting the same; 1 where that
/// is 0.
[[nodiscard]] Vector feature_spread(std::span<const Mixture> mixtures);

/// Throws InvalidArgument unless scales are empty or one per feature, from 1e-300 to 1e300.
void check_scales(const Vector& scales, Index n_features, const char* function,
                  const std::string& argument);

/// The mixtures with every feature divided by its scale. Spherical ones become diagonal. No scales:
/// as they are.
[[nodiscard]] std::vector<Mixture> scaled(std::span<const Mixture> mixtures, const Vector& scales);
[[nodiscard]] Gaussian scaled(const Gaussian& gaussian, const Vector& scales);
[[nodiscard]] Matrix scaled(const Matrix& covariance, const Vector& scales);

/// Back in the units that they had.
[[nodiscard]] AffineMap unscaled(const AffineMap& map, const Vector& scales);
[[nodiscard]] Matrix unscaled(const Matrix& covariance, const Vector& scales);

}  // namespace lbw
