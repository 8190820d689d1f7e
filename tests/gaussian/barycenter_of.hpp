// SPDX-License-Identifier: MIT
// Common code of the barycenter tests.
#pragma once

#include <lbw/gaussian.hpp>
#include <vector>

#include "support/epsilon.hpp"

namespace lbw {

using Weights = std::vector<double>;

/// The residual is at most the tolerance, 1e-12. The step contracts by a factor of about 1/2 or
/// less on well conditioned covariances, so the error is a few residuals.
inline constexpr double fixed_point_accuracy = 1e-11;

[[nodiscard]] inline BarycenterResult barycenter_of(const std::vector<Gaussian>& gaussians,
                                                    const Weights& weights,
                                                    const BarycenterOptions& options = {}) {
  return barycenter(gaussians, weights, options);
}

}  // namespace lbw
