// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>

namespace lbw {

/// M = left diag(singular_values) right^T, left and right square and orthogonal.
struct Svd {
  Matrix left;
  Vector singular_values;  ///< >= 0, in no promised order
  Matrix right;
};

/// Singular value decomposition of a square matrix of finite entries. A diagonal matrix of entries
/// >= 0 keeps its axes, so diagonal covariances are worked on without rounding between features.
[[nodiscard]] Svd square_svd(const Matrix& matrix);

/// The same of A^T B, where row f of A and of B belongs to feature f. However different the units
/// of the features are, every singular value keeps its digits, and left right^T is the orthogonal
/// factor that belongs to A and B within rounding of their rows.
[[nodiscard]] Svd svd_of_product(const Matrix& a, const Matrix& b);

/// A power of two near the length of every row, 0 for rows of zeros.
[[nodiscard]] Vector row_scales(const Matrix& matrix);

/// Whether features, of these scales multiplied over the two sides of a product, are of units so
/// different that svd_of_product does more than square_svd.
[[nodiscard]] bool are_graded(const Vector& grades);

}  // namespace lbw
