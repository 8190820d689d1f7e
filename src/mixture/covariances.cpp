// SPDX-License-Identifier: MIT
#include "mixture/covariances.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "mixture/shrink.hpp"

namespace lbw {

namespace {

/// shift shift^T in the compact shape of the type; its trace if spherical.
Matrix compact_square(const Vector& shift, CovarianceType type) {
  switch (layout_of(type).entries) {
    case CovarianceEntries::matrix:
      return shift * shift.transpose();
    case CovarianceEntries::variances:
      return shift.cwiseAbs2();
    case CovarianceEntries::variance:
      return Matrix::Constant(1, 1, shift.squaredNorm());
  }
  return {};
}

/// Whether variances are above the smallest normal number: below it they have fewer digits, and
/// their inverse overflows.
bool are_positive(const Matrix& compact, CovarianceType type) {
  return variances_of(compact, type).minCoeff() > std::numeric_limits<double>::min();
}

}  // namespace

const Matrix& compact_covariance(const Mixture& mixture, Index component) {
  const Index position = layout_of(mixture.covariance_type).position(component);
  return at(mixture.covariances, position);
}

Matrix full_covariance(const Matrix& compact, CovarianceType type, Index n_features) {
  switch (layout_of(type).entries) {
    case CovarianceEntries::matrix:
      return compact;
    case CovarianceEntries::variances:
      return compact.col(0).asDiagonal().toDenseMatrix();
    case CovarianceEntries::variance:
      return compact(0, 0) * Matrix::Identity(n_features, n_features);
  }
  return {};
}

Matrix centered_covariance(const Matrix& compact_moment, const Vector& shift, CovarianceType type) {
  const Matrix centered = compact_moment - compact_square(shift, type);
  return layout_of(type).is_spherical() ? Matrix(centered / static_cast<double>(shift.size()))
                                        : centered;
}

void add_floor(Matrix& compact, CovarianceType type, const Regularization& regularization) {
  Vector floors = Vector::Constant(compact.rows(), regularization.floor);
  if (regularization.relative_floor.size() > 0) floors += regularization.relative_floor;
  if (layout_of(type).has_matrices()) {
    compact.diagonal() += floors;
  } else {
    compact += floors;
  }
}

void regularize(Matrix& compact, CovarianceType type, const Regularization& regularization,
                double n_samples) {
  const Vector& scales = regularization.scales;
  shrink(compact, type,
         shrinkage_amount(regularization.shrinkage, compact, type,
                          regularization.copies * n_samples, scales),
         scales);
  add_floor(compact, type, regularization);
}

bool spans_too_little(double n_samples, Index n_features, CovarianceType type,
                      const Regularization& regularization) {
  const bool regularized = regularization.floor > 0.0 || regularization.relative_floor.size() > 0 ||
                           !regularization.shrinkage.is_none();
  return layout_of(type).has_matrices() && !regularized &&
         n_samples <= static_cast<double>(n_features);
}

bool is_positive_definite(const Matrix& compact, CovarianceType type) {
  if (!are_positive(compact, type)) return false;
  return !layout_of(type).has_matrices() || cholesky_factor(compact).has_value();
}

std::optional<Whitening> compact_whitening(const Matrix& compact, CovarianceType type,
                                           Index n_features) {
  if (!are_positive(compact, type)) return std::nullopt;
  if (layout_of(type).has_matrices()) return whitening(compact);
  const double copies = layout_of(type).is_spherical() ? static_cast<double>(n_features) : 1.0;
  return Whitening{compact.cwiseSqrt().cwiseInverse(), copies * compact.array().log().sum()};
}

Vector variances_of(const Matrix& compact, CovarianceType type) {
  return layout_of(type).has_matrices() ? Vector(compact.diagonal()) : Vector(compact.col(0));
}

Mixture with_shared_covariance(CovarianceType type, const Vector& weights, const RowMatrix& means,
                               const Matrix& compact) {
  const Index n_matrices = layout_of(type).n_matrices(means.rows());
  return {type, weights, means, std::vector<Matrix>(to_size(n_matrices), compact)};
}

DensityTable density_table(const Mixture& mixture) {
  std::vector<Whitening> whitened;
  for (const Matrix& covariance : mixture.covariances) {
    auto own = compact_whitening(covariance, mixture.covariance_type, mixture.n_features());
    if (!own) throw NumericalError("mixture: a covariance is not positive definite");
    whitened.push_back(std::move(*own));
  }
  return density_table(mixture, whitened);
}

DensityTable density_table(const Mixture& mixture, const std::vector<Whitening>& whitened) {
  const double log_two_pi = std::log(2.0 * std::numbers::pi);
  DensityTable table{mixture.covariance_type, mixture.means, mixture.weights.array().log(), {}};
  for (const Whitening& own : whitened) {
    table.whitening.push_back(own.inverse_lower);
    const double normalizer =
        0.5 * (static_cast<double>(mixture.n_features()) * log_two_pi + own.log_determinant);
    if (layout_of(mixture.covariance_type).is_shared) {
      table.log_scale.array() -= normalizer;
    } else {
      table.log_scale[std::ssize(table.whitening) - 1] -= normalizer;
    }
  }
  return table;
}

}  // namespace lbw
