// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>

namespace lbw {

/// M = left diag(singular_values) right^T, left and right square and orthogonal.
struct Svd {
  Matrix left;
  Vector singular_values;  ///< >= 0, in unspecified order
  Matrix right;
};

/// Singular value decomposition of a finite square matrix. A diagonal matrix with entries >= 0
/// keeps its axes, so diagonal covariances are processed without rounding between features.
[[nodiscard]] Svd square_svd(const Matrix& matrix);

/// The decomposition of A^T B, where row f of A and of B belongs to feature f. Every singular value
/// keeps its relative accuracy even if the features have very different units, and left right^T is
/// the exact orthogonal factor of matrices whose rows equal those of A and B up to rounding.
/// @throws NumericalError  if the lengths of two rows of A or of B differ by a factor above 1e60;
///                         rows of zeros and diagonal matrices have no such limit
[[nodiscard]] Svd svd_of_product(const Matrix& a, const Matrix& b);

/// A power of two near the length of every row; 0 for zero rows.
[[nodiscard]] Vector row_scales(const Matrix& matrix);

/// Whether the units of the features, given as products of the scales of both factors, differ so
/// much that svd_of_product needs more than square_svd.
[[nodiscard]] bool are_graded(const Vector& grades);

}  // namespace lbw
