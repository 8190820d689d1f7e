// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/gaussian.hpp>
#include <span>

namespace lbw {

struct BarycenterOptions {  // how Algorithm 1 runs
  /// Stop once the residual of Eq. 6, ||S - sum_i w_i (S^1/2 S_i S^1/2)^1/2||_F / ||S||_F, is at
  /// most this.
  double tolerance = 1e-12;
  /// Steps allowed; running out is reported in the result, not hidden.
  int max_iterations = 200;
};

struct BarycenterResult {
  Gaussian barycenter;
  int iterations = 0;     ///< 0 where a closed form was used: one or two Gaussians with weight
  double residual = 0.0;  ///< relative residual of Eq. 6 at the answer
  bool converged = false;
};

/// Bures-Wasserstein barycenter of Gaussians (Eq. 5-6, Algorithm 1). Gaussians of weight 0 are left
/// out. One that is left is returned as it is; two take the closed form; more the fixed point.
/// Singular covariances are welcome.
///
/// @param gaussians            one or more, all of one dimension
/// @param barycentric_weights  one per Gaussian, >= 0, summing to 1 within 1e-9
/// @throws InvalidArgument     naming the argument, the value seen and the condition
[[nodiscard]] BarycenterResult barycenter(std::span<const Gaussian> gaussians,
                                          std::span<const double> barycentric_weights,
                                          const BarycenterOptions& options = {});

}  // namespace lbw
