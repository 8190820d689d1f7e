// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>

namespace lbw {

/// rotate_points needs multiples of this many points. The padding may be any finite number.
inline constexpr Index rotated_points_step = 16;

/// The number of points with padding.
[[nodiscard]] inline Index padded_points(Index n_points) {
  return (n_points + rotated_points_step - 1) / rotated_points_step * rotated_points_step;
}

/// out = matrix * points, where each column is a point. Every sum is in the order of the columns of
/// the matrix, so the result of a point does not depend on its position, unlike in Eigen's
/// products.
///
/// @param points  (matrix.cols(), n) with n a multiple of rotated_points_step; out: (matrix.rows(),
/// n)
void rotate_points(const Matrix& matrix, const RowMatrix& points, RowMatrix& out);

/// The same for points [begin, end), both multiples of rotated_points_step.
void rotate_points(const Matrix& matrix, const RowMatrix& points, Index begin, Index end,
                   RowMatrix& out);

/// The same for a lower triangular matrix, in half the time.
void multiply_by_lower(const Matrix& lower, const RowMatrix& points, RowMatrix& out);

}  // namespace lbw
