// SPDX-License-Identifier: MIT
#include "linalg/svd.hpp"

#include <algorithm>
#include <cmath>
#include <lbw/types.hpp>
#include <limits>

#include "linalg/decompositions.hpp"
#include "linalg/multiply.hpp"
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
// orthogonal. Columns whose squared norm is at most `negligible` are left alone.
void make_perpendicular(Matrix& matrix, Matrix& right, double negligible) {
  constexpr int most_sweeps = 40;
  const Index n = matrix.cols();
  const double allowed = std::sqrt(static_cast<double>(n)) * std::numeric_limits<double>::epsilon();
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool turned = false;
    Vector squares = matrix.colwise().squaredNorm();
    for (Index q = 1; q < n; ++q) {
      for (Index p = 0; p < q; ++p) {
        if (std::min(squares[p], squares[q]) <= negligible) continue;
        const double product = matrix.col(p).dot(matrix.col(q));
        if (std::abs(product) <= allowed * std::sqrt(squares[p] * squares[q])) continue;
        turned = true;
        const double slope =
            rotate_columns(matrix, p, q, (squares[q] - squares[p]) / (2.0 * product), right);
        squares[p] -= slope * product;
        squares[q] += slope * product;
      }
    }
    if (!turned) return;
  }
}

// The eigenvectors of M^T M are the right singular vectors of M up to the digits that squaring the
// condition number costs. Two columns need a single rotation from any start.
Matrix nearly_right_vectors(const Matrix& matrix) {
  if (matrix.cols() == 2) return Matrix::Identity(2, 2);
  return SymmetricSolver(matrix.transpose() * matrix).vectors().rowwise().reverse();
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

// Divides every column by its norm, the singular value. Columns up to `noise` are rounding errors:
// their singular value is 0, and any orthonormal vectors complete the basis.
void normalize_columns(Matrix& columns, Vector& singular_values, double noise) {
  for (Index i = 0; i < columns.cols(); ++i) {
    if (singular_values[i] > noise) {
      columns.col(i) /= singular_values[i];
    } else {
      singular_values[i] = 0.0;
      columns.col(i).setZero();
    }
  }
  complete_basis(columns);
}

/// 0 if there is none.
double smallest_positive(const Vector& values) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const double value : values) {
    if (value > 0.0) smallest = std::min(smallest, value);
  }
  return std::isfinite(smallest) ? smallest : 0.0;
}

Svd dense_svd(const Matrix& matrix) {
  Svd svd{Matrix(), Vector(), nearly_right_vectors(matrix)};
  svd.left.noalias() = matrix * svd.right;
  const double noise =
      static_cast<double>(matrix.rows()) * std::numeric_limits<double>::epsilon() * matrix.norm();
  make_perpendicular(svd.left, svd.right, noise * noise);
  svd.singular_values = svd.left.colwise().norm();
  normalize_columns(svd.left, svd.singular_values, noise);
  return svd;
}

// A^T B = X D Y, where D is the product of the units, and X^T and Y are the rows of A and B scaled
// to about 1. With the pivoted X D = Q R P^T, the rows of W = R P^T Y are graded from large to
// small. Jacobi rotations of the columns of W^T then give singular values of full relative accuracy
// (Demmel and others 1999, algorithm 3.1): W^T = K Sigma J^T, A^T B = (Q J) Sigma K^T.
//
// The rows of W are accurate relative to their norms, so columns of W^T below the rounding errors
// of the smallest one are noise. If A or B is singular, rotations would shrink such a column until
// its square underflows, and its direction would not be orthogonal to the others.
Svd graded_svd(const Matrix& a, const Matrix& b, const Vector& a_scales, const Vector& b_scales) {
  const Index n = a.rows();
  const Vector grades = a_scales.cwiseProduct(b_scales);
  const Matrix x = with_rows_divided(a, a_scales).transpose() * grades.asDiagonal();
  const PivotedQr qr = pivoted_qr(x);
  const Matrix y = with_rows_divided(b, b_scales)(qr.order, Eigen::all);
  Svd svd{Matrix::Identity(n, n), Vector(), (qr.r * y).transpose()};
  const double noise = static_cast<double>(n) * std::numeric_limits<double>::epsilon() *
                       smallest_positive(svd.right.colwise().stableNorm());
  make_perpendicular(svd.right, svd.left, noise * noise);
  svd.singular_values = svd.right.colwise().stableNorm();
  normalize_columns(svd.right, svd.singular_values, noise);
  svd.left = qr.q * svd.left;
  return svd;
}

/// Squares of products of two scales must not underflow, so that rotations see small units.
void check_units(const Vector& scales) {
  constexpr double least = 0x1p-200;
  for (const double scale : scales) {
    if (scale == 0.0 || scale >= least) continue;
    throw NumericalError(
        "the standard deviations of two features of a covariance differ by a factor of more than "
        "1e60, which exceeds the range of double precision; rescale the features");
  }
}

Svd scaled_svd_of_product(const Matrix& a, const Matrix& b) {
  const Vector a_scales = row_scales(a);
  const Vector b_scales = row_scales(b);
  check_units(a_scales);
  check_units(b_scales);
  return are_graded(a_scales.cwiseProduct(b_scales)) ? graded_svd(a, b, a_scales, b_scales)
                                                     : square_svd(a.transpose() * b);
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
  const double least = smallest_positive(grades);
  return least > 0.0 && grades.maxCoeff() > most_digits_lost * least;
}

Svd svd_of_product(const Matrix& a, const Matrix& b) {
  if (is_diagonal(a) && is_diagonal(b)) return square_svd(a.transpose() * b);
  const double a_scale = binary_scale(a);
  const double b_scale = binary_scale(b);
  Svd svd = scaled_svd_of_product(a / a_scale, b / b_scale);
  svd.singular_values = svd.singular_values * a_scale * b_scale;
  return svd;
}

}  // namespace lbw
