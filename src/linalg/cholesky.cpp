// SPDX-License-Identifier: MIT
#include "linalg/cholesky.hpp"

#include <atomic>
#include <cmath>
#include <limits>

namespace lbw {

namespace {

std::atomic<Index> factorizations = 0;

}  // namespace

Index n_factorizations() { return factorizations.load(std::memory_order_relaxed); }

// Eigen's LLT accepts pivots that are rounding errors; this implementation rejects them. It works
// by columns so that the inner loops access memory contiguously.
bool cholesky_in_place(Matrix& matrix, double least_pivot) {
  factorizations.fetch_add(1, std::memory_order_relaxed);
  const Index d = matrix.rows();
  for (Index column = 0; column < d; ++column) {
    const double variance = matrix(column, column);
    matrix.col(column).head(column).setZero();
    for (Index i = 0; i < column; ++i) {
      const double entry = matrix(column, i);
      for (Index row = column; row < d; ++row) matrix(row, column) -= matrix(row, i) * entry;
    }
    const double pivot = matrix(column, column);
    if (!(pivot > least_pivot * variance)) return false;
    const double root = std::sqrt(pivot);
    matrix(column, column) = root;
    for (Index row = column + 1; row < d; ++row) matrix(row, column) /= root;
  }
  return true;
}

void invert_lower(const Matrix& lower, Matrix& inverse) {
  const Index d = lower.rows();
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
