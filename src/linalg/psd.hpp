// SPDX-License-Identifier: MIT
// Positive semidefinite matrices through factors S = A A^T. A factor needs no inverse and no matrix
// root, so singular covariances are as good as any other.
#pragma once

#include <lbw/matrix.hpp>

#include "linalg/svd.hpp"

namespace lbw {

/// (M + M^T) / 2, symmetric to the last bit.
[[nodiscard]] Matrix symmetrized(const Matrix& matrix);

/// True when every entry off the diagonal is exactly 0.
[[nodiscard]] bool is_diagonal(const Matrix& matrix);

/// A power of two near the largest magnitude of the matrix, 1 for zero: dividing by it is exact and
/// brings the entries to about 1.
[[nodiscard]] double binary_scale(const Matrix& matrix);

/// A power of two whose square is near the largest magnitude of the matrix, 1 for zero.
[[nodiscard]] double root_scale(const Matrix& matrix);

/// Of the symmetric part of the matrix, ascending.
[[nodiscard]] Vector symmetric_eigenvalues(const Matrix& matrix);

struct PsdFactor {
  Matrix factor;          ///< A with S = A A^T, square
  Matrix pseudo_inverse;  ///< of A: the inverse on the range of S, 0 on its null space
  bool regular = false;   ///< the range of S is everything
};

/// Factor of a symmetric positive semidefinite S. Of S with every feature divided by about its
/// standard deviation, eigenvalues up to n * 2.2e-16 of the largest are rounding noise of the eigen
/// solver and count as 0; a diagonal S has none and is taken as it is.
[[nodiscard]] PsdFactor psd_factor(const Matrix& covariance);

/// Some A with S = A A^T, square: the factor above, or that of Cholesky, which is had for less,
/// where S is far from singular.
[[nodiscard]] Matrix psd_root(const Matrix& covariance);

}  // namespace lbw
