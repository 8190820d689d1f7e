// SPDX-License-Identifier: MIT
#include "mixture/covariances.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "core/message.hpp"
#include "mixture/shrink.hpp"

namespace lbw {

namespace {

bool is_matrix_type(CovarianceType type) {
  return type == CovarianceType::full || type == CovarianceType::tied;
}

/// shift shift^T in the compact shape of the type; its trace if spherical.
Matrix compact_square(const Vector& shift, CovarianceType type) {
  switch (type) {
    case CovarianceType::full:
    case CovarianceType::tied:
      return shift * shift.transpose();
    case CovarianceType::diagonal:
      return shift.cwiseAbs2();
    case CovarianceType::spherical:
      return Matrix::Constant(1, 1, shift.squaredNorm());
  }
  return {};
}

}  // namespace

std::size_t n_covariances(CovarianceType type, Index n_components) {
  return type == CovarianceType::tied ? 1 : static_cast<std::size_t>(n_components);
}

std::pair<Index, Index> covariance_shape(CovarianceType type, Index n_features) {
  if (is_matrix_type(type)) return {n_features, n_features};
  return {type == CovarianceType::diagonal ? n_features : 1, 1};
}

const Matrix& compact_covariance(const Mixture& mixture, Index component) {
  const bool tied = mixture.covariance_type == CovarianceType::tied;
  return mixture.covariances[tied ? 0 : static_cast<std::size_t>(component)];
}

Matrix centered_covariance(const Matrix& compact_moment, const Vector& shift, CovarianceType type) {
  const Matrix centered = compact_moment - compact_square(shift, type);
  const bool spherical = type == CovarianceType::spherical;
  return spherical ? Matrix(centered / static_cast<double>(shift.size())) : centered;
}

void add_floor(Matrix& compact, CovarianceType type, const Regularization& regularization) {
  Vector floors = Vector::Constant(compact.rows(), regularization.floor);
  if (regularization.relative_floor.size() > 0) floors += regularization.relative_floor;
  if (is_matrix_type(type)) {
    compact.diagonal() += floors;
  } else {
    compact += floors;
  }
}

void regularize(Matrix& compact, CovarianceType type, const Regularization& regularization,
                double n_samples) {
  shrink(
      compact, type,
      shrinkage_amount(regularization.shrinkage, compact, type, regularization.copies * n_samples));
  add_floor(compact, type, regularization);
}

std::optional<Whitening> compact_whitening(const Matrix& compact, CovarianceType type,
                                           Index n_features) {
  if (is_matrix_type(type)) return whitening(compact);
  // the smallest normal number, below which the inverse overflows
  if (!(compact.minCoeff() > std::numeric_limits<double>::min())) return std::nullopt;
  const double copies = type == CovarianceType::spherical ? static_cast<double>(n_features) : 1.0;
  return Whitening{compact.cwiseSqrt().cwiseInverse(), copies * compact.array().log().sum()};
}

Vector variances_of(const Matrix& compact, CovarianceType type) {
  return is_matrix_type(type) ? Vector(compact.diagonal()) : Vector(compact.col(0));
}

Mixture with_shared_covariance(CovarianceType type, const Vector& weights, const RowMatrix& means,
                               const Matrix& compact) {
  return {type, weights, means, {n_covariances(type, means.rows()), compact}};
}

DensityTable density_table(const Mixture& mixture) {
  const double log_two_pi = std::log(2.0 * std::numbers::pi);
  DensityTable table{mixture.covariance_type, mixture.means, mixture.weights.array().log(), {}};
  for (const Matrix& covariance : mixture.covariances) {
    const auto whitened =
        compact_whitening(covariance, mixture.covariance_type, mixture.n_features());
    if (!whitened) throw NumericalError("mixture: a covariance is not positive definite");
    table.whitening.push_back(whitened->inverse_lower);
    const double normalizer =
        0.5 * (static_cast<double>(mixture.n_features()) * log_two_pi + whitened->log_determinant);
    if (mixture.covariance_type == CovarianceType::tied) {
      table.log_scale.array() -= normalizer;
    } else {
      table.log_scale[static_cast<Index>(table.whitening.size()) - 1] -= normalizer;
    }
  }
  return table;
}

}  // namespace lbw
