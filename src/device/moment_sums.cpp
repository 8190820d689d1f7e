// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/moment_sums.hpp>

#include "core/message.hpp"

namespace lbw {

namespace {

std::vector<Matrix> zero_second_moments(Index n_components, Index n_features,
                                        CovarianceType covariance_type) {
  const CovarianceLayout& layout = layout_of(covariance_type);
  return std::vector<Matrix>(static_cast<std::size_t>(layout.n_matrices(n_components)),
                             Matrix::Zero(layout.n_rows(n_features), layout.n_columns(n_features)));
}

}  // namespace

Index CovarianceLayout::n_parameters(Index n_components, Index n_features) const {
  const Index each = has_matrices() ? n_features * (n_features + 1) / 2 : n_rows(n_features);
  return n_matrices(n_components) * each;
}

std::vector<Index> CovarianceLayout::array_shape(Index n_components, Index n_features) const {
  std::vector<Index> shape;
  if (!is_shared) shape.push_back(n_components);
  if (!is_spherical()) shape.push_back(n_features);
  if (has_matrices()) shape.push_back(n_features);
  return shape;
}

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
  const bool same_mixture = mixture == other.mixture || mixture == 0 || other.mixture == 0;
  require(same_shape && same_mixture && centers == other.centers,
          "MomentSums: cannot add sums that were taken under another mixture");
  mixture = std::max(mixture, other.mixture);
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
