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
  /// Returns true if both are finite, symmetric (1e-8 of the largest entry), positive definite and
  /// far enough from singular for about twelve digits of the map. Otherwise returns false, and
  /// matrix() is unspecified.
  [[nodiscard]] bool compute(const Matrix& source, const Matrix& target);

  /// Exactly symmetric.
  [[nodiscard]] const Matrix& matrix() const { return map_; }

 private:
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
