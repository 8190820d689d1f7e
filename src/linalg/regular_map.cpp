// SPDX-License-Identifier: MIT
#include "linalg/regular_map.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/cholesky.hpp"
#include "linalg/lane_maps.hpp"

namespace lbw {

namespace {

// Sufficient for a covariance to be finite, symmetric and of ordinary size: an entry of a positive
// definite matrix is at most the largest variance. False for NaN.
bool is_ordinary(const Matrix& covariance) {
  double largest = 0.0;
  for (Index i = 0; i < covariance.rows(); ++i) {
    const double variance = covariance(i, i);
    if (!(variance >= RegularMap::least_variance && variance <= RegularMap::most_variance))
      return false;
    largest = std::max(largest, variance);
  }
  const double allowed = 1e-8 * largest;
  for (Index column = 0; column < covariance.cols(); ++column) {
    for (Index row = column + 1; row < covariance.rows(); ++row) {
      const double below = covariance(row, column);
      if (!(std::abs(below - covariance(column, row)) <= allowed)) return false;
      if (!(std::abs(below) <= RegularMap::most_variance)) return false;
    }
  }
  return true;
}

// Replaces the lower triangle by that of the symmetric part; the decompositions read no other.
void average_with_transpose(Matrix& matrix) {
  for (Index column = 0; column < matrix.cols(); ++column) {
    for (Index row = column + 1; row < matrix.rows(); ++row) {
      matrix(row, column) = 0.5 * matrix(row, column) + 0.5 * matrix(column, row);
    }
  }
}

struct Planar {  // a symmetric 2 x 2 matrix
  double xx;
  double xy;
  double yy;
};

Planar planar(const Matrix& matrix) {
  return {matrix(0, 0), 0.5 * matrix(0, 1) + 0.5 * matrix(1, 0), matrix(1, 1)};
}

// The rounding error of x * y, computed from halves of the digits (Dekker 1971).
double product_error(double x, double y, double product) {
  const auto high = [](double value) {
    const double shifted = 0x8000001p0 * value;
    return shifted - (shifted - value);
  };
  const double x_high = high(x);
  const double y_high = high(y);
  const double x_low = x - x_high;
  const double y_low = y - y_high;
  return ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low;
}

// Subtracts the exact products. Returns 0 if the matrix may be singular.
double planar_determinant(const Planar& matrix) {
  const double product = matrix.xx * matrix.yy;
  const double square = matrix.xy * matrix.xy;
  if (!(product - square > RegularMap::far_from_singular * product)) return 0.0;
  return (product - square) + (product_error(matrix.xx, matrix.yy, product) -
                               product_error(matrix.xy, matrix.xy, square));
}

}  // namespace

bool RegularMap::compute(const Matrix& source, const Matrix& target) {
  if (!is_ordinary(source) || !is_ordinary(target)) return false;
  if (source.rows() == 2) return compute_planar(source, target);
  return compute_lane(source, target) || compute_dense(source, target);
}

// As in a batch of maps, which gives the same bits.
bool RegularMap::compute_lane(const Matrix& source, const Matrix& target) {
  if (source.rows() < fewest_lane_features || source.rows() > most_lane_features) return false;
  map_.resize(source.rows(), source.rows());
  LanePair pair{source.data(), target.data(), map_.data()};
  lane_maps({&pair, 1}, source.rows());
  return pair.is_computed;
}

// T is the geometric mean of S^-1 and R. For 2 x 2 matrices of determinants s^2 and r^2,
//   T = sqrt(r / s) P / sqrt(det P),  P = adj(S) / s + R / r,  det P = 2 + tr(S R) / (s r).
bool RegularMap::compute_planar(const Matrix& source, const Matrix& target) {
  const Planar from = planar(source);
  const Planar to = planar(target);
  const double from_determinant = planar_determinant(from);
  const double to_determinant = planar_determinant(to);
  if (from_determinant == 0.0 || to_determinant == 0.0) return false;
  const double s = std::sqrt(from_determinant);
  const double r = std::sqrt(to_determinant);
  const double trace = from.xx * to.xx + 2.0 * (from.xy * to.xy) + from.yy * to.yy;
  const double factor = std::sqrt(r / s / (2.0 + trace / (s * r)));
  map_.resize(2, 2);
  map_(0, 0) = factor * (from.yy / s + to.xx / r);
  map_(0, 1) = factor * (to.xy / r - from.xy / s);
  map_(1, 0) = map_(0, 1);
  map_(1, 1) = factor * (from.xx / s + to.yy / r);
  return true;
}

// With L^T R L = U diag(e) U^T,
//   T = L^-T (L^T R L)^1/2 L^-1 = H^T H,  H = diag(e^1/4) U^T L^-1.
// The error of an eigenvalue is of the order of rounding the largest, which changes the root of the
// smallest by largest / sqrt(smallest) roundings, and T_fg by that times the lengths of columns f
// and g of L^-1. The allowed error of T_fg is proportional to target deviation f over source
// deviation g, so features of small units keep their digits next to features of large units.
// Positive eigenvalues of the congruent matrix prove that R is positive definite.
bool RegularMap::compute_dense(const Matrix& source, const Matrix& target) {
  lower_ = source;
  average_with_transpose(lower_);
  if (!cholesky_in_place(lower_, 1.0 / most_amplification)) return false;
  invert_lower(lower_, inverse_lower_);
  product_.noalias() = target * lower_;
  congruent_.noalias() = lower_.transpose() * product_;
  average_with_transpose(congruent_);
  if (!solver_.compute(congruent_)) return false;
  const Vector& eigenvalues = solver_.values();  // ascending
  const double smallest = eigenvalues[0];
  const double largest = eigenvalues[eigenvalues.size() - 1];
  if (!(smallest > 0.0)) return false;
  half_.noalias() = solver_.vectors().transpose() * inverse_lower_;
  for (Index i = 0; i < half_.rows(); ++i) half_.row(i) *= std::sqrt(std::sqrt(eigenvalues[i]));
  map_.noalias() = half_.transpose() * half_;
  map_.triangularView<Eigen::StrictlyUpper>() = map_.transpose();
  double off_rows = 0.0;
  double off_columns = 0.0;
  for (Index f = 0; f < source.rows(); ++f) {
    const double length = inverse_lower_.col(f).norm();
    off_rows = std::max(off_rows, length / std::sqrt(target(f, f)));
    off_columns = std::max(off_columns, length * std::sqrt(source(f, f)));
  }
  return largest / std::sqrt(smallest) * off_rows * off_columns <= most_amplification;
}

}  // namespace lbw
