// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>
#include <optional>

namespace lbw {

/// What a Gaussian density needs of a covariance S = L L^T.
struct Whitening {
  Matrix inverse_lower;          ///< L^-1, lower triangular
  double log_determinant = 0.0;  ///< log det S
};

/// Puts L of S = L L^T in the place of S, of which the lower triangle is read. False, and then the
/// matrix means nothing, where a pivot is not above least_pivot of its diagonal entry.
[[nodiscard]] bool cholesky_in_place(Matrix& matrix, double least_pivot);

/// The number of factorizations by cholesky_in_place in this process so far. Tests use it to check
/// that no covariance is factored more often than necessary.
[[nodiscard]] Index n_factorizations();

/// `inverse` becomes L^-1, lower triangular as L is.
void invert_lower(const Matrix& lower, Matrix& inverse);

/// L of S = L L^T, lower triangular. Empty when S is not numerically positive definite: a pivot
/// that is not above n_features * 2.2e-16 of its diagonal entry.
[[nodiscard]] std::optional<Matrix> cholesky_factor(const Matrix& covariance);

/// Empty under the same condition.
[[nodiscard]] std::optional<Whitening> whitening(const Matrix& covariance);

}  // namespace lbw
