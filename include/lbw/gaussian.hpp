// SPDX-License-Identifier: MIT
// Gaussians: Bures-Wasserstein distance, optimal maps and barycenters (Eq. 2-6).
#pragma once

#include <lbw/matrix.hpp>
#include <lbw/types.hpp>
#include <span>
#include <vector>

namespace lbw {

/// A normal distribution. The covariance is symmetric positive semidefinite; it may be singular.
struct Gaussian {
  Vector mean;        ///< (n_features)
  Matrix covariance;  ///< (n_features, n_features)
};

/// x -> target_mean + matrix (x - source_mean), the form of Eq. 4. Kept in three parts because a
/// single offset loses digits when both means are far from the origin.
struct AffineMap {
  Vector source_mean;
  /// (n_features, n_features); or (n_features, 1), the diagonal of a map that scales every feature,
  /// as between Gaussians of diagonal covariance in a mixture of that type.
  Matrix matrix;
  Vector target_mean;

  [[nodiscard]] bool is_diagonal() const { return matrix.cols() == 1; }
  /// (n_features, n_features), whichever way it is kept.
  [[nodiscard]] Matrix dense_matrix() const;
  [[nodiscard]] Vector operator()(const Vector& point) const;
};

/// Squared Bures-Wasserstein distance, Eq. 2. Never negative, never NaN; 0 for equal Gaussians.
///
/// @throws InvalidArgument  naming the Gaussian whose mean is not finite or whose covariance is not
///                          square, finite, symmetric (1e-8 relative) and positive semidefinite
///                          (smallest eigenvalue >= -1e-10 of the largest)
[[nodiscard]] double squared_distance(const Gaussian& first, const Gaussian& second);

/// Bures-Wasserstein distance: the root of squared_distance.
[[nodiscard]] double distance(const Gaussian& first, const Gaussian& second);

/// Covariance map, Eq. 3: the symmetric positive semidefinite T with T S T = R, S the source
/// covariance, R the target's. Equal covariances give exactly the identity. Where the source has no
/// variance no map exists and T is 0 there: eigenvalues up to n_features * 2.2e-16 of the largest,
/// or, where the covariance is diagonal and they are exact, variances of 0.
[[nodiscard]] Matrix map_matrix(const Matrix& source_covariance, const Matrix& target_covariance);

/// Optimal map of one Gaussian onto another, Eq. 4; for equal Gaussians exactly the identity.
[[nodiscard]] AffineMap gaussian_map(const Gaussian& source, const Gaussian& target);

/// gaussian_map of sources[i] onto targets[i], for all i, on several threads.
///
/// @throws InvalidArgument  naming the Gaussian, as `sources[i]` or `targets[i]`
[[nodiscard]] std::vector<AffineMap> gaussian_maps(std::span<const Gaussian> sources,
                                                   std::span<const Gaussian> targets,
                                                   const Execution& execution = {});

/// Partial transport by a map: x + amount (map(x) - x). Along it a Gaussian follows
/// the Bures-Wasserstein geodesic. amount in [0, 1]; 0 is exactly the identity, 1 exactly `map`.
[[nodiscard]] AffineMap partial_map(const AffineMap& map, double amount);

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
