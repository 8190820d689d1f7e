// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>
#include <optional>

namespace lbw {

/// The inverse of a square matrix. Empty if it is numerically singular: its reciprocal condition
/// number (1-norm) is at most n_rows * 2.2e-16.
[[nodiscard]] std::optional<Matrix> inverse(const Matrix& matrix);

/// log |det M| of a square matrix; -infinity if it is singular.
[[nodiscard]] double log_abs_determinant(const Matrix& matrix);

}  // namespace lbw
