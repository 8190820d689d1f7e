// SPDX-License-Identifier: MIT
#include "device/kernel_table.hpp"

#include "device/shared_model.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/multiply.hpp"

#include <cmath>
#include <numbers>

namespace lbw {

double most_deviations(const DensityTable& table, const RowMatrix& means) {
  double most = 0.0;
  for (Index k = 0; k < means.rows(); ++k) {
    const Matrix& whitening = table.whitening_of(k);
    const Vector mean = means.row(k).transpose();
    const double deviations = whitening.size() == 1   ? whitening(0, 0) * mean.norm()
                              : whitening.cols() == 1 ? whitening.col(0).cwiseProduct(mean).norm()
                                                      : (whitening * mean).norm();
    most = std::max(most, deviations);
  }
  return most;
}

namespace {

// With more features, the quadratic features of a block exceed the second-level cache.
constexpr Index most_features_by_features = 24;
// With fewer features, a shared covariance does not make up for whitening the points.
constexpr Index fewest_shared_features = 8;
// Quadratic features lose about this factor in accuracy, which leaves nine to ten digits.
constexpr double most_lost = 1e6;
// With more, the square of the largest sample allowed (1e100) overflows.
constexpr double most_whitening = 1e45;
// Above this, products of three numbers exceed the range of single precision.
constexpr double most_single = 1e12;

// At this distance from the origin, single precision has an error of 2e-4 standard deviations.
constexpr double most_single_deviations = 4096.0;

double largest_whitening(const DensityTable& table) {
  double largest = 0.0;
  for (const Matrix& whitening : table.whitening) {
    largest = std::max(largest, whitening.norm());
  }
  return largest;
}

/// L of S = L L^T from L^-1.
Matrix factor_of(const Matrix& whitening) {
  Matrix factor;
  invert_lower(whitening, factor);
  return factor;
}

/// Upper bound of the squared distance of ordinary samples from the origin: three standard
/// deviations beyond the farthest mean.
double squared_reach(const DensityTable& table, const RowMatrix& means) {
  double reach = 0.0;
  for (Index k = 0; k < table.n_components(); ++k) {
    const Matrix factor = factor_of(table.whitening_of(k));  // its squared norm is the trace
    reach = std::max(reach, means.row(k).squaredNorm() + 9.0 * factor.squaredNorm());
  }
  return reach;
}

bool features_are_accurate(const DensityTable& table, const RowMatrix& means) {
  const double whitening = largest_whitening(table);
  return whitening < most_whitening &&
         squared_reach(table, means) * whitening * whitening < most_lost;
}

/// How many standard deviations the rounding error of a sample is at most, in units of the rounding
/// of its features: the maximum over the rows of |W| |x| for whitening W and ordinary samples,
/// |x| up to three standard deviations from the mean. It does not depend on the units of features.
double most_rounded(const DensityTable& table, const RowMatrix& means) {
  double most = 0.0;
  Vector deviations;  // of the features of a component
  for (Index k = 0; k < means.rows(); ++k) {
    const Matrix& whitening = table.whitening_of(k);
    const Vector mean = means.row(k).transpose().cwiseAbs();
    if (whitening.cols() == 1) {
      const Vector scaled = whitening.size() == 1 ? Vector(whitening(0, 0) * mean)
                                                  : Vector(whitening.col(0).cwiseProduct(mean));
      most = std::max(most, scaled.maxCoeff() + 3.0);
      continue;
    }
    if (k == 0 || table.whitening.size() > 1) deviations = factor_of(whitening).rowwise().norm();
    const Vector reach = mean + 3.0 * deviations;
    most = std::max(most, (whitening.cwiseAbs() * reach).maxCoeff());
  }
  return most;
}

bool fits_single(const DensityTable& table, const RowMatrix& means) {
  return largest_whitening(table) < most_single && means.cwiseAbs().maxCoeff() < most_single &&
         table.log_scale.allFinite() && most_rounded(table, means) < most_single_deviations;
}

FormTable quadratic_forms(const DensityTable& table, const RowMatrix& means) {
  const Index d = table.n_features();
  FormTable forms{Vector(means.rows()), RowMatrix(means.rows(), n_moments(d, false))};
  for (Index k = 0; k < means.rows(); ++k) {
    const Matrix& whitening = table.whitening_of(k);
    const Matrix precision = whitening.transpose() * whitening;
    const Vector linear = precision * means.row(k).transpose();
    forms.constants[k] = table.log_scale[k] - 0.5 * means.row(k).dot(linear);
    forms.coefficients.row(k).head(d) = linear.transpose();
    Index term = d;
    for (Index a = 0; a < d; ++a) {
      for (Index b = 0; b <= a; ++b) {
        forms.coefficients(k, term++) = precision(a, b) * (a == b ? -0.5 : -1.0);
      }
    }
  }
  return forms;
}

/// Columns of d inverse deviations also for the spherical type.
std::vector<Matrix> halved_whitening(const DensityTable& table) {
  std::vector<Matrix> result;
  for (const Matrix& whitening : table.whitening) {
    const Matrix scaled = whitening * (0.5 * std::numbers::sqrt2);
    const bool spherical = table.covariance_type == CovarianceType::spherical;
    result.push_back(spherical ? Matrix::Constant(table.n_features(), 1, scaled(0, 0)) : scaled);
  }
  return result;
}

KernelTable table_about(const DensityTable& table, const Vector& origin, Precision precision) {
  KernelTable kernel;
  kernel.kind = has_squares_alone(table.covariance_type) ? KernelTable::Kind::scaled
                                                         : KernelTable::Kind::whitened;
  kernel.precision = precision;
  kernel.origin = origin;
  kernel.means = table.means.rowwise() - origin.transpose();
  kernel.log_scale = table.log_scale;
  kernel.whitening = halved_whitening(table);
  return kernel;
}

}  // namespace

KernelTable KernelTable::accurate(const DensityTable& table) {
  // about 0, so that the difference of a sample and a mean close to it is exact
  return table_about(table, Vector::Zero(table.n_features()), Precision::f64);
}

KernelTable KernelTable::fastest(const DensityTable& table, Precision precision) {
  const Vector origin = table.means.colwise().mean().transpose();
  const RowMatrix means = table.means.rowwise() - origin.transpose();
  if (precision == Precision::f32 && fits_single(table, means)) {
    return table_about(table, origin, Precision::f32);
  }
  if (table.covariance_type == CovarianceType::tied &&
      table.n_features() >= fewest_shared_features) {
    KernelTable whitened = table_about(table, origin, Precision::f64);
    if (can_share(whitened)) return whitened;
  }
  if (has_squares_alone(table.covariance_type) || table.n_features() > most_features_by_features ||
      !features_are_accurate(table, means)) {
    return accurate(table);
  }
  KernelTable kernel;
  kernel.kind = Kind::features;
  kernel.origin = origin;
  kernel.means = means;
  kernel.log_scale = table.log_scale;
  kernel.forms = quadratic_forms(table, means);
  return kernel;
}

Index KernelTable::n_terms() const { return n_moments(n_features(), kind == Kind::scaled); }

}  // namespace lbw
