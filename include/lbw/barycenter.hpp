// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/gaussian.hpp>
#include <span>
#include <vector>

namespace lbw {

struct BarycenterOptions {  // how Algorithm 1 runs
  /// Stop once the residual is at most this. With T = sum_i w_i T_i, the average of the maps from
  /// the current covariance S to the S_i, which is the identity at the barycenter, the residual is
  /// the largest over the features f of sqrt([(T - I) S (T - I)]_ff / S_ff): the relative change of
  /// the feature by one more step, whatever its unit.
  double tolerance = 1e-12;
  /// Steps allowed; running out is reported in the result, not hidden.
  int max_iterations = 200;
};

struct BarycenterResult {
  Gaussian barycenter;
  int iterations = 0;     ///< 0 where a closed form was used: one or two Gaussians with weight
  double residual = 0.0;  ///< the residual at the answer
  bool converged = false;
};

/// Bures-Wasserstein barycenter of Gaussians (Eq. 5-6, Algorithm 1). Gaussians of weight 0 are left
/// out. One that is left is returned as it is; two take the closed form; more the fixed point.
/// Singular covariances are welcome.
///
/// @param gaussians            one or more, all of one dimension
/// @param barycentric_weights  one per Gaussian, finite, >= 0 and not all 0; divided by their sum
/// @throws InvalidArgument     naming the argument, the value seen and the condition
[[nodiscard]] BarycenterResult barycenter(std::span<const Gaussian> gaussians,
                                          std::span<const double> barycentric_weights,
                                          const BarycenterOptions& options = {});

/// The weights divided by their sum, as every function that takes barycentric weights reads them.
///
/// @param barycentric_weights  finite, >= 0 and not all 0; of any size: 1e308 does not overflow
[[nodiscard]] std::vector<double> normalized_weights(std::span<const double> barycentric_weights);

}  // namespace lbw
