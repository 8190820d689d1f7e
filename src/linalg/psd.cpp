// SPDX-License-Identifier: MIT
#include "linalg/psd.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "linalg/cholesky.hpp"

namespace lbw {

namespace {

// x^-1/2, and 0 for 0
Vector inverse_roots(const Vector& values) {
  return values.unaryExpr([](double value) { return value > 0.0 ? 1.0 / std::sqrt(value) : 0.0; });
}

PsdFactor diagonal_factor(const Matrix& covariance) {
  const Vector variances = covariance.diagonal().cwiseMax(0.0);
  return {variances.cwiseSqrt().asDiagonal().toDenseMatrix(),
          inverse_roots(variances).asDiagonal().toDenseMatrix()};
}

// S = V diag(e) V^T gives A = V diag(sqrt e) and its pseudo-inverse diag(1 / sqrt e) V^T.
PsdFactor dense_factor(const Matrix& covariance) {
  const double scale = root_scale(covariance);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetrized(covariance / scale / scale));
  Vector eigenvalues = solver.eigenvalues();
  const double noise = static_cast<double>(eigenvalues.size()) *
                       std::numeric_limits<double>::epsilon() * eigenvalues.maxCoeff();
  for (double& eigenvalue : eigenvalues) {
    if (!(eigenvalue > noise)) eigenvalue = 0.0;
  }
  const Matrix& axes = solver.eigenvectors();
  return {scale * (axes * eigenvalues.cwiseSqrt().asDiagonal()),
          (inverse_roots(eigenvalues).asDiagonal() * axes.transpose()) / scale};
}

// Turns the columns p and q by the angle that makes them perpendicular, given the cotangent of
// twice that angle. Returns its tangent.
double turn_columns(Matrix& matrix, Index p, Index q, double cotangent, Matrix& right) {
  const double tangent = std::copysign(1.0, cotangent) /
                         (std::abs(cotangent) + std::sqrt(1.0 + cotangent * cotangent));
  const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
  const double sine = cosine * tangent;
  for (Matrix* columns : {&matrix, &right}) {
    double* const at_p = columns->col(p).data();
    double* const at_q = columns->col(q).data();
    for (Index i = 0; i < columns->rows(); ++i) {
      const double x = at_p[i];
      const double y = at_q[i];
      at_p[i] = cosine * x - sine * y;
      at_q[i] = sine * x + cosine * y;
    }
  }
  return tangent;
}

// One-sided Jacobi: turns the columns of `matrix`, and those of `right` with them, until they are
// perpendicular. False where that takes long.
bool make_perpendicular(Matrix& matrix, Matrix& right) {
  constexpr int most_sweeps = 8;
  const Index n = matrix.cols();
  const double allowed = std::sqrt(static_cast<double>(n)) * std::numeric_limits<double>::epsilon();
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool turned = false;
    Vector squares = matrix.colwise().squaredNorm();
    for (Index q = 1; q < n; ++q) {
      for (Index p = 0; p < q; ++p) {
        const double product = matrix.col(p).dot(matrix.col(q));
        if (std::abs(product) <= allowed * std::sqrt(squares[p] * squares[q])) continue;
        turned = true;
        const double slope =
            turn_columns(matrix, p, q, (squares[q] - squares[p]) / (2.0 * product), right);
        squares[p] -= slope * product;
        squares[q] += slope * product;
      }
    }
    if (!turned) return true;
  }
  return false;
}

// The eigenvectors of M^T M are nearly the right singular vectors of M, but for the digits that the
// square of its condition costs. Two columns are turned once, from wherever they start.
Matrix nearly_right_vectors(const Matrix& matrix) {
  if (matrix.cols() == 2) return Matrix::Identity(2, 2);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix.transpose() * matrix);
  return solver.eigenvectors().rowwise().reverse();
}

// Jacobi from there. Empty where M is singular, or all but.
std::optional<Svd> regular_svd(const Matrix& matrix) {
  Svd svd{Matrix(), Vector(), nearly_right_vectors(matrix)};
  svd.left.noalias() = matrix * svd.right;
  if (!make_perpendicular(svd.left, svd.right)) return std::nullopt;
  svd.singular_values = svd.left.colwise().norm();
  const double noise = 1e3 * static_cast<double>(matrix.rows()) *
                       std::numeric_limits<double>::epsilon() * svd.singular_values.maxCoeff();
  if (!(svd.singular_values.minCoeff() > noise)) return std::nullopt;  // NaN too
  for (Index i = 0; i < matrix.cols(); ++i) svd.left.col(i) /= svd.singular_values[i];
  return svd;
}

constexpr unsigned int full_vectors = Eigen::ComputeFullU | Eigen::ComputeFullV;

// False for NaN too. Errors are a few roundings per dimension when all went well.
bool is_accurate(const Svd& svd, const Matrix& matrix) {
  const Index n = matrix.rows();
  const double allowed = 10 * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  const Matrix identity = Matrix::Identity(n, n);
  const Matrix product = svd.left * svd.singular_values.asDiagonal() * svd.right.transpose();
  return (product - matrix).norm() <= allowed * matrix.norm() &&
         (svd.left.transpose() * svd.left - identity).norm() <= allowed * identity.norm() &&
         (svd.right.transpose() * svd.right - identity).norm() <= allowed * identity.norm();
}

// Divide and conquer is several times faster on large matrices, but Eigen 3.4's comes back with NaN
// or lost digits on some matrices of repeated or missing singular values. Jacobi never does.
Svd dense_svd(const Matrix& matrix) {
  if (std::optional<Svd> svd = regular_svd(matrix)) return *std::move(svd);
  constexpr Index jacobi_is_as_fast = 32;
  if (matrix.rows() > jacobi_is_as_fast) {
    const Eigen::BDCSVD<Matrix> fast(matrix, full_vectors);
    const Svd svd{fast.matrixU(), fast.singularValues(), fast.matrixV()};
    if (is_accurate(svd, matrix)) return svd;
  }
  const Eigen::JacobiSVD<Matrix> sure(matrix, full_vectors);
  return {sure.matrixU(), sure.singularValues(), sure.matrixV()};
}

}  // namespace

Matrix symmetrized(const Matrix& matrix) { return 0.5 * matrix + 0.5 * matrix.transpose(); }

bool is_diagonal(const Matrix& matrix) {
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

double root_scale(const Matrix& matrix) {
  const double largest = matrix.cwiseAbs().maxCoeff();
  return largest > 0.0 ? std::ldexp(1.0, std::ilogb(largest) / 2) : 1.0;
}

Vector symmetric_eigenvalues(const Matrix& matrix) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(symmetrized(matrix), Eigen::EigenvaluesOnly)
      .eigenvalues();
}

PsdFactor psd_factor(const Matrix& covariance) {
  return is_diagonal(covariance) ? diagonal_factor(covariance) : dense_factor(covariance);
}

Matrix psd_root(const Matrix& covariance) {
  constexpr double far_from_singular = 1e-8;
  Matrix lower = symmetrized(covariance);
  return cholesky_in_place(lower, far_from_singular) ? lower : psd_factor(covariance).factor;
}

Svd square_svd(const Matrix& matrix) {
  const Index n = matrix.rows();
  if (is_diagonal(matrix) && matrix.diagonal().minCoeff() >= 0.0) {
    return {Matrix::Identity(n, n), matrix.diagonal(), Matrix::Identity(n, n)};
  }
  const double scale = binary_scale(matrix);
  Svd svd = dense_svd(matrix / scale);
  svd.singular_values *= scale;
  return svd;
}

}  // namespace lbw
