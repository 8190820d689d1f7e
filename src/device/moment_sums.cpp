// SPDX-License-Identifier: MIT
#include <lbw/moment_sums.hpp>

#include "core/message.hpp"

namespace lbw {

namespace {

std::vector<Matrix> zero_second_moments(Index n_components, Index n_features,
                                        CovarianceType covariance_type) {
  const auto k = static_cast<std::size_t>(n_components);
  switch (covariance_type) {
    case CovarianceType::full:
      return {k, Matrix::Zero(n_features, n_features)};
    case CovarianceType::tied:
      return {1, Matrix::Zero(n_features, n_features)};
    case CovarianceType::diagonal:
      return {k, Matrix::Zero(n_features, 1)};
    case CovarianceType::spherical:
      return {k, Matrix::Zero(1, 1)};
  }
  return {};
}

}  // namespace

MomentSums MomentSums::about(const RowMatrix& centers, CovarianceType covariance_type) {
  MomentSums sums;
  sums.covariance_type = covariance_type;
  sums.centers = centers;
  sums.component_weight = Vector::Zero(centers.rows());
  sums.first = RowMatrix::Zero(centers.rows(), centers.cols());
  sums.second = zero_second_moments(centers.rows(), centers.cols(), covariance_type);
  sums.worst_sample = Vector::Zero(centers.cols());
  return sums;
}

MomentSums& MomentSums::operator+=(const MomentSums& other) {
  const bool same_shape = centers.rows() == other.centers.rows() &&
                          centers.cols() == other.centers.cols() &&
                          covariance_type == other.covariance_type;
  require(same_shape && centers == other.centers,
          "MomentSums: cannot add sums that were taken under another mixture");
  n_samples += other.n_samples;
  weight += other.weight;
  component_weight += other.component_weight;
  first += other.first;
  for (std::size_t i = 0; i < second.size(); ++i) second[i] += other.second[i];
  log_likelihood += other.log_likelihood;
  if (other.worst_log_density < worst_log_density) {
    worst_log_density = other.worst_log_density;
    worst_sample = other.worst_sample;
  }
  return *this;
}

}  // namespace lbw
