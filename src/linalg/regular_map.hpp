// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>

#include "linalg/decompositions.hpp"

namespace lbw {

/// The map of Eq. 3 for well-conditioned covariances of ordinary size. It needs one Cholesky and
/// one eigendecomposition instead of three decompositions. Reuse an object for many pairs: it
/// allocates no memory after the first pair of a dimension.
class RegularMap {
 public:
  /// The maximum amplification of rounding errors in the map: 1e5 leaves eleven digits in the worst
  /// case, and twelve to fourteen in practice.
  static constexpr double most_amplification = 1e5;

  /// Products of four entries neither overflow nor underflow within these bounds.
  static constexpr double least_variance = 0x1p-200;
  static constexpr double most_variance = 0x1p200;

  /// The least determinant of two features, as a fraction of the product of the variances.
  static constexpr double far_from_singular = 1e-8;

  /// Returns true if both are finite, symmetric (1e-8 of the largest entry), positive definite and
  /// far enough from singular for about twelve digits of the map. Otherwise returns false, and
  /// matrix() is unspecified.
  [[nodiscard]] bool compute(const Matrix& source, const Matrix& target);

  /// Exactly symmetric.
  [[nodiscard]] const Matrix& matrix() const { return map_; }

 private:
  [[nodiscard]] bool compute_lane(const Matrix& source, const Matrix& target);
  [[nodiscard]] bool compute_planar(const Matrix& source, const Matrix& target);
  [[nodiscard]] bool compute_dense(const Matrix& source, const Matrix& target);

  Matrix lower_;          // L of S = L L^T
  Matrix inverse_lower_;  // L^-1
  Matrix product_;
  Matrix congruent_;  // L^T R L
  SymmetricSolver solver_;
  Matrix half_;
  Matrix map_;
};

}  // namespace lbw
