// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>

namespace lbw {

/// Points that turn_points works on come in multiples of this many; the rest may be anything
/// finite.
inline constexpr Index points_a_turn = 16;

/// The number of points, filled up.
[[nodiscard]] inline Index padded_to_turn(Index n_points) {
  return (n_points + points_a_turn - 1) / points_a_turn * points_a_turn;
}

/// out = matrix * points, whose columns are the points. Every sum is in the order of the matrix's
/// columns, wherever a point lies, which products of Eigen's do not promise.
///
/// @param points  (matrix.cols(), n) with n a multiple of points_a_turn; out: (matrix.rows(), n)
void turn_points(const Matrix& matrix, const RowMatrix& points, RowMatrix& out);

/// The same for a matrix that is 0 above the diagonal, in half the time.
void turn_by_lower(const Matrix& lower, const RowMatrix& points, RowMatrix& out);

}  // namespace lbw
