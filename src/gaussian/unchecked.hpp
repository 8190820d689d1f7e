// SPDX-License-Identifier: MIT
// The functions of <lbw/gaussian.hpp> without argument checks. They avoid checking a fitted mixture
// again for each of its components.
#pragma once

#include <lbw/gaussian.hpp>
#include <span>
#include <vector>

namespace lbw {

[[nodiscard]] double squared_distance_unchecked(const Gaussian& first, const Gaussian& second);

[[nodiscard]] std::vector<AffineMap> gaussian_maps_unchecked(std::span<const Gaussian> sources,
                                                             std::span<const Gaussian> targets,
                                                             const Execution& execution = {});

[[nodiscard]] BarycenterResult barycenter_unchecked(std::span<const Gaussian> gaussians,
                                                    std::span<const double> barycentric_weights,
                                                    const BarycenterOptions& options = {});

}  // namespace lbw
