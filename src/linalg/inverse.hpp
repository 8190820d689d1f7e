// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>
#include <optional>

namespace lbw {

/// The inverse of a square matrix. Empty where it is numerically singular: a reciprocal condition
/// number (in the 1-norm) that is not above n_rows * 2.2e-16.
[[nodiscard]] std::optional<Matrix> inverse(const Matrix& matrix);

/// log |det M| of a square matrix; -infinity for a singular one.
[[nodiscard]] double log_abs_determinant(const Matrix& matrix);

}  // namespace lbw
