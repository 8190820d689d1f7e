// SPDX-License-Identifier: MIT
// Distances, maps and barycenters in units of each feature's standard deviation.
#pragma once

#include <lbw/gaussian.hpp>
#include <lbw/mixture.hpp>
#include <span>
#include <vector>

namespace lbw {

/// The standard deviation of every feature over all mixtures, each with equal weight; 1 if that is
/// 0.
[[nodiscard]] Vector feature_spread(std::span<const Mixture> mixtures);

/// Throws InvalidArgument unless scales are empty or one per feature, from 1e-300 to 1e300.
void check_scales(const Vector& scales, Index n_features, const char* function,
                  const std::string& argument);

/// Throws as above, and if a scale differs from feature_spread by a factor of more than 1e100.
void check_scales(const Vector& scales, std::span<const Mixture> mixtures, const char* function,
                  const std::string& argument);

/// The mixtures with every feature divided by its scale. Spherical mixtures become diagonal. Empty
/// scales change nothing.
[[nodiscard]] std::vector<Mixture> scaled(std::span<const Mixture> mixtures, const Vector& scales);
[[nodiscard]] Gaussian scaled(const Gaussian& gaussian, const Vector& scales);
[[nodiscard]] Matrix scaled(const Matrix& covariance, const Vector& scales);

/// Converts back to the original units.
[[nodiscard]] AffineMap unscaled(const AffineMap& map, const Vector& scales);
[[nodiscard]] Matrix unscaled(const Matrix& covariance, const Vector& scales);

}  // namespace lbw
