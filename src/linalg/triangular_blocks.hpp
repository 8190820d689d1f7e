// SPDX-License-Identifier: MIT
// The inner products of factorizations of large matrices, with vector instructions.
#pragma once

#include <lbw/matrix.hpp>

namespace lbw {

/// Columns that are factored together.
inline constexpr Index block_columns = 8;

/// matrix(r, first + j) -= sum of matrix(r, i) * matrix(first + j, i) over i < first, for all rows
/// r >= first and the columns j < block_columns that the matrix has.
void subtract_products(Matrix& matrix, Index first);

/// Columns [first, first + block_columns) of the inverse of a lower triangular matrix, as far as
/// the matrix has them. The rows above `first` are not written.
void invert_columns(const Matrix& lower, Index first, Matrix& inverse);

}  // namespace lbw
