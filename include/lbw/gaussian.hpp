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

/// The affine map x -> target_mean + matrix (x - source_mean) of Eq. 4. The means are stored
/// separately because a single offset loses digits if both means are far from the origin.
struct AffineMap {
  Vector source_mean;
  /// Either (n_features, n_features), or (n_features, 1): the diagonal of a map that scales each
  /// feature. Maps between diagonal covariances of a diagonal mixture have the second form.
  Matrix matrix;
  Vector target_mean;

  [[nodiscard]] bool is_diagonal() const { return matrix.cols() == 1; }
  /// The full matrix (n_features, n_features) in both cases.
  [[nodiscard]] Matrix dense_matrix() const;
  [[nodiscard]] Vector operator()(const Vector& point) const;
};

/// Squared Bures-Wasserstein distance (Eq. 2). Never negative or NaN; 0 for equal Gaussians.
///
/// @throws InvalidArgument  naming the Gaussian whose mean is not finite or whose covariance is not
///                          square, finite, symmetric (1e-8 relative) and positive semidefinite
///                          (smallest eigenvalue >= -1e-10 of the largest)
[[nodiscard]] double squared_distance(const Gaussian& first, const Gaussian& second);

/// Bures-Wasserstein distance, the square root of squared_distance.
[[nodiscard]] double distance(const Gaussian& first, const Gaussian& second);

/// Covariance map (Eq. 3): the symmetric positive semidefinite T with T S T = R, where S is the
/// source covariance and R the target covariance. Equal covariances give exactly the identity. T is
/// 0 in directions where the source has no variance: eigenvalues up to n_features * 2.2e-16 of the
/// largest or, for diagonal covariances, variances of exactly 0.
[[nodiscard]] Matrix map_matrix(const Matrix& source_covariance, const Matrix& target_covariance);

/// Computes map_matrix of many pairs on several threads, without a separate array for each.
///
/// @param sources, targets  (n * n_features, n_features): covariances, one below the other, as in
///                          the memory of a NumPy array of shape (n, n_features, n_features)
/// @returns                 their maps in the same shape
/// @throws InvalidArgument  naming the covariance, as `sources[i]` or `targets[i]`
[[nodiscard]] RowMatrix map_matrices(const RowMatrix& sources, const RowMatrix& targets,
                                     const Execution& execution = {});

/// Optimal map from one Gaussian to another (Eq. 4); exactly the identity for equal Gaussians.
/// @throws NumericalError  here and in the functions above, if a result exceeds the range of double
///                         precision, or if standard deviations of correlated features differ by
///                         more than a factor of 1e60
[[nodiscard]] AffineMap gaussian_map(const Gaussian& source, const Gaussian& target);

/// Computes gaussian_map(sources[i], targets[i]) for all i on several threads.
///
/// @throws InvalidArgument  naming the Gaussian, as `sources[i]` or `targets[i]`
[[nodiscard]] std::vector<AffineMap> gaussian_maps(std::span<const Gaussian> sources,
                                                   std::span<const Gaussian> targets,
                                                   const Execution& execution = {});

/// Partial transport: x + amount (map(x) - x). A Gaussian then follows the Bures-Wasserstein
/// geodesic. `amount` is in [0, 1]; 0 gives exactly the identity, 1 exactly `map`.
[[nodiscard]] AffineMap partial_map(const AffineMap& map, double amount);

struct BarycenterOptions {  // settings of Algorithm 1
  /// Stop once the residual is at most this. Let T = sum_i w_i T_i be the average of the maps from
  /// the current covariance S to the S_i, which is the identity at the barycenter. The residual is
  /// the maximum over the features f of sqrt([(T - I) S (T - I)]_ff / S_ff), the relative change of
  /// feature f in one more step. It does not depend on units.
  double tolerance = 1e-12;
  /// The maximum number of steps. The result reports whether the iteration converged.
  int max_iterations = 200;
};

struct BarycenterResult {
  Gaussian barycenter;
  int iterations = 0;     ///< 0 if a closed form was used (one or two Gaussians of positive weight)
  double residual = 0.0;  ///< the residual at the solution
  bool converged = false;
};

/// Bures-Wasserstein barycenter of Gaussians (Eq. 5-6, Algorithm 1). Gaussians of weight 0 are
/// ignored. A single remaining Gaussian is returned unchanged, two use the closed form, and more
/// use the fixed-point iteration. Covariances may be singular.
///
/// @param gaussians            one or more, all of the same dimension
/// @param barycentric_weights  one per Gaussian, finite, >= 0 and not all 0; divided by their sum
/// @throws InvalidArgument     naming the argument, the value received and the condition
[[nodiscard]] BarycenterResult barycenter(std::span<const Gaussian> gaussians,
                                          std::span<const double> barycentric_weights,
                                          const BarycenterOptions& options = {});

/// The weights divided by their sum. All functions normalize barycentric weights this way.
///
/// @param barycentric_weights  finite, >= 0 and not all 0; values such as 1e308 do not overflow
[[nodiscard]] std::vector<double> normalized_weights(std::span<const double> barycentric_weights);

}  // namespace lbw
