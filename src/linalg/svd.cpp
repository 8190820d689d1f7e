// SPDX-License-Identifier: MIT
#include "linalg/svd.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "linalg/psd.hpp"

namespace lbw {

namespace {

// Rotates columns p and q by the angle that makes them orthogonal, given the cotangent of twice
// that angle. Returns its tangent.
double rotate_columns(Matrix& matrix, Index p, Index q, double cotangent, Matrix& right) {
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

// One-sided Jacobi: rotates the columns of `matrix`, and those of `right` with them, until they are
// orthogonal. Returns false if it does not converge within most_sweeps.
bool make_perpendicular(Matrix& matrix, Matrix& right, int most_sweeps) {
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
            rotate_columns(matrix, p, q, (squares[q] - squares[p]) / (2.0 * product), right);
        squares[p] -= slope * product;
        squares[q] += slope * product;
      }
    }
    if (!turned) return true;
  }
  return false;
}

// The eigenvectors of M^T M approximate the right singular vectors of M, with an error that grows
// with the squared condition number. For two columns, one rotation is exact, so any start works.
Matrix nearly_right_vectors(const Matrix& matrix) {
  if (matrix.cols() == 2) return Matrix::Identity(2, 2);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix.transpose() * matrix);
  return solver.eigenvectors().rowwise().reverse();
}

// Jacobi, started from these vectors. Empty if M is singular or nearly singular.
std::optional<Svd> regular_svd(const Matrix& matrix) {
  Svd svd{Matrix(), Vector(), nearly_right_vectors(matrix)};
  svd.left.noalias() = matrix * svd.right;
  if (!make_perpendicular(svd.left, svd.right, 8)) return std::nullopt;
  svd.singular_values = svd.left.colwise().norm();
  const double noise = 1e3 * static_cast<double>(matrix.rows()) *
                       std::numeric_limits<double>::epsilon() * svd.singular_values.maxCoeff();
  if (!(svd.singular_values.minCoeff() > noise)) return std::nullopt;  // NaN too
  for (Index i = 0; i < matrix.cols(); ++i) svd.left.col(i) /= svd.singular_values[i];
  return svd;
}

constexpr unsigned int full_vectors = Eigen::ComputeFullU | Eigen::ComputeFullV;

// False also for NaN. Errors of a successful decomposition are a few roundings per dimension.
bool is_accurate(const Svd& svd, const Matrix& matrix) {
  const Index n = matrix.rows();
  const double allowed = 10 * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  const Matrix identity = Matrix::Identity(n, n);
  const Matrix product = svd.left * svd.singular_values.asDiagonal() * svd.right.transpose();
  return (product - matrix).norm() <= allowed * matrix.norm() &&
         (svd.left.transpose() * svd.left - identity).norm() <= allowed * identity.norm() &&
         (svd.right.transpose() * svd.right - identity).norm() <= allowed * identity.norm();
}

// Divide and conquer is several times faster on large matrices, but the one of Eigen 3.4 returns
// NaN or loses digits for some matrices with repeated or zero singular values. Jacobi never does.
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

// Fills zero columns so that all columns are orthonormal. Each one is taken from the axis that is
// farthest from the existing columns.
void complete_basis(Matrix& vectors) {
  for (Index column = 0; column < vectors.cols(); ++column) {
    if (!vectors.col(column).isZero(0.0)) continue;
    Index axis = 0;
    vectors.rowwise().squaredNorm().minCoeff(&axis);
    Vector added = Vector::Unit(vectors.rows(), axis);
    for (int pass = 0; pass < 2; ++pass) added -= vectors * (vectors.transpose() * added);
    vectors.col(column) = added.normalized();
  }
}

Matrix with_rows_divided(const Matrix& matrix, const Vector& scales) {
  Matrix divided = matrix;
  for (Index row = 0; row < matrix.rows(); ++row) {
    if (scales[row] > 0.0) divided.row(row) /= scales[row];
  }
  return divided;
}

// A^T B = X D Y, where D is the product of the units, and X^T and Y are the rows of A and B scaled
// to about 1. With the pivoted X D = Q R P^T, the rows of W = R P^T Y are graded from large to
// small. Jacobi rotations of the columns of W^T then give singular values of full relative accuracy
// (Demmel and others 1999, algorithm 3.1): W^T = K Sigma J^T, A^T B = (Q J) Sigma K^T.
Svd graded_svd(const Matrix& a, const Matrix& b, const Vector& a_scales, const Vector& b_scales) {
  const Index n = a.rows();
  const Vector grades = a_scales.cwiseProduct(b_scales);
  const Matrix x = with_rows_divided(a, a_scales).transpose() * grades.asDiagonal();
  const Eigen::ColPivHouseholderQR<Matrix> qr(x);
  const Matrix y = qr.colsPermutation().transpose() * with_rows_divided(b, b_scales);
  const Matrix r = qr.matrixR().template triangularView<Eigen::Upper>();
  Svd svd{Matrix::Identity(n, n), Vector(), (r * y).transpose()};
  constexpr int most_sweeps = 40;
  (void)make_perpendicular(svd.right, svd.left, most_sweeps);
  svd.singular_values = svd.right.colwise().stableNorm();
  for (Index i = 0; i < n; ++i) {
    if (svd.singular_values[i] > 0.0) svd.right.col(i) /= svd.singular_values[i];
  }
  complete_basis(svd.right);
  svd.left = qr.householderQ() * svd.left;
  return svd;
}

}  // namespace

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

Vector row_scales(const Matrix& matrix) {
  Vector scales = matrix.rowwise().stableNorm();
  for (double& scale : scales) scale = scale > 0.0 ? std::ldexp(1.0, std::ilogb(scale)) : 0.0;
  return scales;
}

bool are_graded(const Vector& grades) {
  constexpr double most_digits_lost = 256.0;
  double least = std::numeric_limits<double>::infinity();
  for (const double grade : grades) {
    if (grade > 0.0) least = std::min(least, grade);
  }
  return grades.maxCoeff() > most_digits_lost * least;
}

Svd svd_of_product(const Matrix& a, const Matrix& b) {
  const Vector a_scales = row_scales(a);
  const Vector b_scales = row_scales(b);
  const bool graded = are_graded(a_scales.cwiseProduct(b_scales));
  if (!graded || (is_diagonal(a) && is_diagonal(b))) return square_svd(a.transpose() * b);
  return graded_svd(a, b, a_scales, b_scales);
}

}  // namespace lbw
