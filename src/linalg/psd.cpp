// SPDX-License-Identifier: MIT
#include "linalg/psd.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "linalg/cholesky.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/multiply.hpp"

namespace lbw {

namespace {

// x^-1/2, and 0 for 0
Vector inverse_roots(const Vector& values) {
  return values.unaryExpr([](double value) { return value > 0.0 ? 1.0 / std::sqrt(value) : 0.0; });
}

PsdFactor diagonal_factor(const Matrix& covariance) {
  const Vector variances = covariance.diagonal().cwiseMax(0.0);
  return {variances.cwiseSqrt().asDiagonal().toDenseMatrix(),
          inverse_roots(variances).asDiagonal().toDenseMatrix(), (variances.array() > 0.0).all()};
}

// Powers of two near the standard deviations; 1 if there is no variance.
Vector binary_deviations(const Matrix& covariance) {
  return covariance.diagonal().unaryExpr([](double variance) {
    return variance > 0.0
               ? std::ldexp(1.0, static_cast<int>(std::floor(0.5 * std::ilogb(variance))))
               : 1.0;
  });
}

// E = D^-1 S D^-1 = V diag(e) V^T, with D near the standard deviations, gives A = D V diag(sqrt e)
// and its inverse diag(1 / sqrt e) V^T D^-1. All variances of E are near 1, so the eigensolver
// keeps the digits of features with small units. If e has zeros, the inverse is multiplied by the
// projector onto the range of A, which gives the pseudo-inverse.
PsdFactor dense_factor(const Matrix& covariance) {
  const Vector deviations = binary_deviations(covariance);
  const Vector inverse_deviations = deviations.cwiseInverse();
  const SymmetricSolver solver(
      symmetrized(inverse_deviations.asDiagonal() * covariance * inverse_deviations.asDiagonal()));
  Vector eigenvalues = solver.values();  // ascending
  const double noise = static_cast<double>(eigenvalues.size()) *
                       std::numeric_limits<double>::epsilon() * eigenvalues.maxCoeff();
  for (double& eigenvalue : eigenvalues) {
    if (!(eigenvalue > noise)) eigenvalue = 0.0;
  }
  const Matrix& axes = solver.vectors();
  PsdFactor result{deviations.asDiagonal() * (axes * eigenvalues.cwiseSqrt().asDiagonal()),
                   (inverse_roots(eigenvalues).asDiagonal() * axes.transpose()) *
                       inverse_deviations.asDiagonal(),
                   (eigenvalues.array() > 0.0).all()};
  if (result.regular) return result;
  const Index rank = (eigenvalues.array() > 0.0).count();
  // scaled, because reflections take lengths below 1e-154 for 0
  const Matrix range = result.factor.rightCols(rank) / binary_scale(result.factor);
  const Matrix basis = householder_qr(range).q.leftCols(rank);
  result.pseudo_inverse = (result.pseudo_inverse * basis) * basis.transpose();
  return result;
}

}  // namespace

Matrix symmetrized(const Matrix& matrix) { return 0.5 * matrix + 0.5 * matrix.transpose(); }

bool is_diagonal(const Eigen::Ref<const Matrix>& matrix) {
  for (Index column = 0; column < matrix.cols(); ++column) {
    for (Index row = 0; row < matrix.rows(); ++row) {
      if (row != column && matrix(row, column) != 0.0) return false;
    }
  }
  return true;
}

double binary_scale(const Matrix& matrix) {
  const double largest = matrix.cwiseAbs().maxCoeff();
  return largest > 0.0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
}

Vector symmetric_eigenvalues(const Matrix& matrix) {
  return ascending_eigenvalues(symmetrized(matrix));
}

PsdFactor psd_factor(const Matrix& covariance) {
  return is_diagonal(covariance) ? diagonal_factor(covariance) : dense_factor(covariance);
}

Matrix psd_root(const Matrix& covariance) {
  constexpr double far_from_singular = 1e-8;
  Matrix lower = symmetrized(covariance);
  return cholesky_in_place(lower, far_from_singular) ? lower : psd_factor(covariance).factor;
}

}  // namespace lbw
