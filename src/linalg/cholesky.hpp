// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>
#include <optional>

namespace lbw {

/// The whitening transform of a Gaussian density with covariance S = L L^T.
struct Whitening {
  Matrix inverse_lower;          ///< L^-1, lower triangular
  double log_determinant = 0.0;  ///< log det S
};

/// Replaces S by L, where S = L L^T; only the lower triangle of S is read. Returns false if a pivot
/// is at most least_pivot times its diagonal entry; the matrix is then unspecified.
[[nodiscard]] bool cholesky_in_place(Matrix& matrix, double least_pivot);

/// The number of factorizations in this process so far. Tests use it to check that no covariance is
/// factored more often than necessary.
[[nodiscard]] Index n_factorizations();

/// Adds factorizations by other functions to that number.
void count_factorizations(Index count);

/// Sets `inverse` to L^-1, which is lower triangular.
void invert_lower(const Matrix& lower, Matrix& inverse);

/// L of S = L L^T, lower triangular. Empty if S is not numerically positive definite: a pivot is at
/// most n_features * 2.2e-16 of its diagonal entry.
[[nodiscard]] std::optional<Matrix> cholesky_factor(const Matrix& covariance);

/// Empty under the same condition.
[[nodiscard]] std::optional<Whitening> whitening(const Matrix& covariance);

}  // namespace lbw
