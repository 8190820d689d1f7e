// SPDX-License-Identifier: MIT
// The functions of <lbw/gaussian.hpp> without argument checks. They avoid checking a fitted mixture
// again for each of its components.
#pragma once

#include <functional>
#include <lbw/gaussian.hpp>
#include <span>
#include <vector>

namespace lbw {

[[nodiscard]] double squared_distance_unchecked(const Gaussian& first, const Gaussian& second);

/// The covariance part of squared_distance between all sources (rows) and all targets (columns).
/// @param sources, targets  covariances with the same number of features
[[nodiscard]] RowMatrix squared_covariance_distances(std::span<const Matrix> sources,
                                                     std::span<const Matrix> targets,
                                                     const Execution& execution = {});

/// @param on_irregular  called with the position of a pair, from any thread, unless the computation
///                      has proved that the covariance of the source is positive definite
[[nodiscard]] std::vector<AffineMap> gaussian_maps_unchecked(
    std::span<const Gaussian> sources, std::span<const Gaussian> targets,
    const Execution& execution = {},
    const std::function<void(std::size_t pair)>& on_irregular = [](std::size_t) {});

[[nodiscard]] BarycenterResult barycenter_unchecked(std::span<const Gaussian> gaussians,
                                                    std::span<const double> barycentric_weights,
                                                    const BarycenterOptions& options = {});

}  // namespace lbw
