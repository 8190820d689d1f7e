// SPDX-License-Identifier: MIT
#include "linalg/cholesky.hpp"

#include <atomic>
#include <cmath>
#include <limits>

#include "linalg/triangular_blocks.hpp"

namespace lbw {

namespace {

std::atomic<Index> factorizations = 0;

/// Smaller matrices are factored column by column.
constexpr Index fewest_rows_of_blocks = 32;

/// Factors columns [first, last) after the products of all columns before `first` have been
/// subtracted from them.
bool factor_columns(Matrix& matrix, Index first, Index last, const Vector& variances,
                    double least_pivot) {
  const Index d = matrix.rows();
  for (Index column = first; column < last; ++column) {
    matrix.col(column).head(column).setZero();
    for (Index i = first; i < column; ++i) {
      const double entry = matrix(column, i);
      for (Index row = column; row < d; ++row) matrix(row, column) -= matrix(row, i) * entry;
    }
    const double pivot = matrix(column, column);
    if (!(pivot > least_pivot * variances[column])) return false;
    const double root = std::sqrt(pivot);
    matrix(column, column) = root;
    for (Index row = column + 1; row < d; ++row) matrix(row, column) /= root;
  }
  return true;
}

}  // namespace

Index n_factorizations() { return factorizations.load(std::memory_order_relaxed); }

void count_factorizations(Index count) {
  factorizations.fetch_add(count, std::memory_order_relaxed);
}

// Eigen's LLT accepts pivots that are rounding errors; this implementation rejects them. It works
// by columns so that the inner loops access memory contiguously.
bool cholesky_in_place(Matrix& matrix, double least_pivot) {
  count_factorizations(1);
  const Index d = matrix.rows();
  const Vector variances = matrix.diagonal();
  if (d < fewest_rows_of_blocks) return factor_columns(matrix, 0, d, variances, least_pivot);
  for (Index first = 0; first < d; first += block_columns) {
    subtract_products(matrix, first);
    const Index last = std::min(first + block_columns, d);
    if (!factor_columns(matrix, first, last, variances, least_pivot)) return false;
  }
  return true;
}

void invert_lower(const Matrix& lower, Matrix& inverse) {
  const Index d = lower.rows();
  if (d >= fewest_rows_of_blocks) {
    inverse.setZero(d, d);
    for (Index first = 0; first < d; first += block_columns) invert_columns(lower, first, inverse);
    return;
  }
  inverse.setIdentity(d, d);
  for (Index column = 0; column < d; ++column) {
    for (Index i = column; i < d; ++i) {
      const double entry = inverse(i, column) / lower(i, i);
      inverse(i, column) = entry;
      for (Index row = i + 1; row < d; ++row) inverse(row, column) -= lower(row, i) * entry;
    }
  }
}

std::optional<Matrix> cholesky_factor(const Matrix& covariance) {
  const double noise =
      static_cast<double>(covariance.rows()) * std::numeric_limits<double>::epsilon();
  Matrix lower = covariance;
  if (!cholesky_in_place(lower, noise)) return std::nullopt;
  return lower;
}

std::optional<Whitening> whitening(const Matrix& covariance) {
  const std::optional<Matrix> lower = cholesky_factor(covariance);
  if (!lower) return std::nullopt;
  Whitening result{Matrix(), 2.0 * lower->diagonal().array().log().sum()};
  invert_lower(*lower, result.inverse_lower);
  return result;
}

}  // namespace lbw
