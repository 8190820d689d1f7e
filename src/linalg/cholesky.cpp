// SPDX-License-Identifier: MIT
#include "linalg/cholesky.hpp"

#include <cmath>
#include <limits>

namespace lbw {

namespace {

Matrix inverse_of_lower(const Matrix& lower) {
  const Index d = lower.rows();
  Matrix inverse = Matrix::Zero(d, d);
  for (Index column = 0; column < d; ++column) {
    inverse(column, column) = 1.0 / lower(column, column);
    for (Index row = column + 1; row < d; ++row) {
      double sum = 0.0;
      for (Index i = column; i < row; ++i) sum += lower(row, i) * inverse(i, column);
      inverse(row, column) = -sum / lower(row, row);
    }
  }
  return inverse;
}

}  // namespace

// Row by row by hand: Eigen's LLT accepts pivots that are rounding noise, we do not.
std::optional<Matrix> cholesky_factor(const Matrix& covariance) {
  const Index d = covariance.rows();
  const double relative = static_cast<double>(d) * std::numeric_limits<double>::epsilon();
  Matrix lower = Matrix::Zero(d, d);
  for (Index row = 0; row < d; ++row) {
    for (Index column = 0; column <= row; ++column) {
      double rest = covariance(row, column);
      for (Index i = 0; i < column; ++i) rest -= lower(row, i) * lower(column, i);
      if (column < row) {
        lower(row, column) = rest / lower(column, column);
      } else {
        if (!(rest > relative * covariance(row, row))) return std::nullopt;
        lower(row, row) = std::sqrt(rest);
      }
    }
  }
  return lower;
}

std::optional<Whitening> whitening(const Matrix& covariance) {
  const std::optional<Matrix> lower = cholesky_factor(covariance);
  if (!lower) return std::nullopt;
  return Whitening{inverse_of_lower(*lower), 2.0 * lower->diagonal().array().log().sum()};
}

}  // namespace lbw
