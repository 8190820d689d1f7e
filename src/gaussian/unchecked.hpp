// SPDX-License-Identifier: MIT
// The functions of <lbw/gaussian.hpp> and <lbw/barycenter.hpp> for arguments that were checked
// before: a fitted mixture is not checked again for each of its components.
#pragma once

#include <lbw/barycenter.hpp>
#include <lbw/gaussian.hpp>
#include <span>

namespace lbw {

[[nodiscard]] double squared_distance_unchecked(const Gaussian& first, const Gaussian& second);

[[nodiscard]] Matrix map_matrix_unchecked(const Matrix& source_covariance,
                                          const Matrix& target_covariance);

[[nodiscard]] AffineMap gaussian_map_unchecked(const Gaussian& source, const Gaussian& target);

[[nodiscard]] BarycenterResult barycenter_unchecked(std::span<const Gaussian> gaussians,
                                                    std::span<const double> barycentric_weights,
                                                    const BarycenterOptions& options = {});

}  // namespace lbw
