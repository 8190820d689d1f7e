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

void add_floor(Matrix& compact, CovarianceType type, const Regularization& regularization) {
  Vector floors = Vector::Constant(compact.rows(), regularization.floor);
  const Vector& relative = regularization.relative_floor;
  if (relative.size() > 0 && type == CovarianceType::spherical) floors.array() += relative.mean();
  if (relative.size() > 0 && type != CovarianceType::spherical) floors += relative;
  if (is_matrix_type(type)) {
    compact.diagonal() += floors;
  } else {
    compact += floors;
  }
}

void regularize(Matrix& compact, CovarianceType type, const Regularization& regularization,
                double n_samples) {
  shrink(compact, type, shrinkage_amount(regularization.shrinkage, compact, type, n_samples));
  add_floor(compact, type, regularization);
}

std::optional<Whitening> compact_whitening(const Matrix& compact, CovarianceType type,
                                           Index n_features) {
  if (is_matrix_type(type)) return whitening(compact);
  // the smallest normal number: below it the inverse overflows
  if (!(compact.minCoeff() > std::numeric_limits<double>::min())) return std::nullopt;
  const double copies = type == CovarianceType::spherical ? static_cast<double>(n_features) : 1.0;
  return Whitening{compact.cwiseSqrt().cwiseInverse(), copies * compact.array().log().sum()};
}

Matrix compact_of_full(const Matrix& full, CovarianceType type) {
  if (is_matrix_type(type)) return full;
  if (type == CovarianceType::diagonal) return full.diagonal();
  return Matrix::Constant(1, 1, full.diagonal().mean());
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
