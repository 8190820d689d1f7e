// SPDX-License-Identifier: MIT
#include "linalg/inverse.hpp"

#include <Eigen/LU>
#include <limits>

namespace lbw {

std::optional<Matrix> inverse(const Matrix& matrix) {
  const Eigen::PartialPivLU<Matrix> factors(matrix);
  const double noise = static_cast<double>(matrix.rows()) * std::numeric_limits<double>::epsilon();
  if (!(factors.rcond() > noise)) return std::nullopt;  // also if it is NaN
  return Matrix(factors.inverse());
}

// computed from the factors, because the determinant overflows in many dimensions
double log_abs_determinant(const Matrix& matrix) {
  return Eigen::PartialPivLU<Matrix>(matrix).matrixLU().diagonal().cwiseAbs().array().log().sum();
}

}  // namespace lbw
