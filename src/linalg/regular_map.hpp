// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>

#include "linalg/decompositions.hpp"

namespace lbw {

/// The map of Eq. 3 where it is harmless: between covariances of ordinary size, well away from
/// singular. One Cholesky and one eigendecomposition instead of three decompositions of twice the
/// length. Keep it for many pairs: it allocates nothing for the second pair of one dimension.
class RegularMap {
 public:
  /// False, and then matrix() means nothing, unless both are finite, symmetric (1e-8 of the largest
  /// entry), positive definite and far enough from singular for some twelve digits of the map. True
  /// is a proof of all that.
  [[nodiscard]] bool compute(const Matrix& source, const Matrix& target);

  /// Symmetric to the last bit.
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
