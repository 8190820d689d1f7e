// SPDX-License-Identifier: MIT
// Positive semidefinite matrices through factors S = A A^T. A factor needs neither an inverse nor a
// matrix root, so singular covariances need no special treatment.
#pragma once

#include <lbw/matrix.hpp>

#include "linalg/svd.hpp"

namespace lbw {

/// (M + M^T) / 2, exactly symmetric.
[[nodiscard]] Matrix symmetrized(const Matrix& matrix);

/// Whether every off-diagonal entry is exactly 0.
[[nodiscard]] bool is_diagonal(const Eigen::Ref<const Matrix>& matrix);

/// A power of two near the largest magnitude of the matrix; 1 for a zero matrix. Dividing by it is
/// exact and scales the entries to about 1.
[[nodiscard]] double binary_scale(const Matrix& matrix);

/// The eigenvalues of the symmetric part of the matrix, ascending.
[[nodiscard]] Vector symmetric_eigenvalues(const Matrix& matrix);

struct PsdFactor {
  Matrix factor;          ///< A with S = A A^T, square
  Matrix pseudo_inverse;  ///< of A: the inverse on the range of S, 0 on its null space
  bool regular = false;   ///< whether S is regular
};

/// Factor of a symmetric positive semidefinite S. After every feature is divided by about its
/// standard deviation, eigenvalues up to n * 2.2e-16 of the largest are rounding errors and count
/// as 0. A diagonal S has no such errors and is used as it is.
[[nodiscard]] PsdFactor psd_factor(const Matrix& covariance);

/// A square A with S = A A^T: the Cholesky factor, which is cheaper, if S is far from singular;
/// otherwise the factor above.
[[nodiscard]] Matrix psd_root(const Matrix& covariance);

}  // namespace lbw
