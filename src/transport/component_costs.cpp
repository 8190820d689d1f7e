// SPDX-License-Identifier: MIT
#include "transport/component_costs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "device/tables.hpp"
#include "gaussian/unchecked.hpp"
#include "mixture/covariances.hpp"

namespace lbw {

namespace {

// C_ij = ||m_i - m_j||^2 by differences, because the expanded form loses digits far from the
// origin.
RowMatrix squared_mean_distances(const Mixture& from, const Mixture& to) {
  RowMatrix cost(from.n_components(), to.n_components());
  for (Index i = 0; i < from.n_components(); ++i) {
    for (Index j = 0; j < to.n_components(); ++j) {
      cost(i, j) = (from.means.row(i) - to.means.row(j)).squaredNorm();
    }
  }
  return cost;
}

// Diagonal covariances commute, so the distance is that of the standard deviations.
RowMatrix costs_of_variances(const Mixture& from, const Mixture& to) {
  const bool spherical = layout_of(from.covariance_type).is_spherical();
  const double copies = spherical ? static_cast<double>(from.n_features()) : 1.0;
  RowMatrix cost(from.n_components(), to.n_components());
  for (Index i = 0; i < cost.rows(); ++i) {
    for (Index j = 0; j < cost.cols(); ++j) {
      cost(i, j) =
          copies * (compact_covariance(from, i).cwiseSqrt() - compact_covariance(to, j).cwiseSqrt())
                       .squaredNorm();
    }
  }
  return cost;
}

/// The covariances of all components, or the one that they share.
std::vector<Matrix> distinct_covariances(const Mixture& mixture) {
  const bool is_shared = layout_of(mixture.covariance_type).is_shared;
  std::vector<Matrix> covariances;
  for (Index i = 0; i < (is_shared ? 1 : mixture.n_components()); ++i) {
    covariances.push_back(mixture.component(i).covariance);
  }
  return covariances;
}

/// The covariance part of Eq. 2 for all pairs of components.
RowMatrix covariance_costs(const Mixture& from, const Mixture& to, const Execution& execution) {
  const bool commute =
      from.covariance_type == to.covariance_type && !layout_of(to.covariance_type).has_matrices();
  if (commute) return costs_of_variances(from, to);
  const RowMatrix distinct =
      squared_covariance_distances(distinct_covariances(from), distinct_covariances(to), execution);
  return distinct.replicate(from.n_components() / distinct.rows(),
                            to.n_components() / distinct.cols());
}

/// The mixture, moved so that this mean becomes 0.
Mixture about(const Vector& mean, Mixture mixture) {
  mixture.means.rowwise() -= mean.transpose();
  return mixture;
}

Vector mean_of(const Mixture& mixture) { return mixture.means.transpose() * mixture.weights; }

double squared_reach(const RowMatrix& means, const Vector& center) {
  return (means.rowwise() - center.transpose()).rowwise().squaredNorm().maxCoeff();
}

}  // namespace

RowMatrix component_costs(const Mixture& from, const Mixture& to, ComponentCost cost,
                          const Execution& execution) {
  RowMatrix costs = squared_mean_distances(from, to);
  if (cost == ComponentCost::bures) costs += covariance_costs(from, to, execution);
  if (!costs.allFinite()) {
    throw NumericalError(
        "the squared distance of two components exceeds the range of double precision; rescale the "
        "features");
  }
  return costs;
}

bool are_far_apart(const Mixture& from, const Mixture& to) {
  const Vector mean = mean_of(from);
  const Vector other_mean = mean_of(to);
  const double reach =
      std::max(squared_reach(from.means, mean), squared_reach(to.means, other_mean));
  const double apart = (mean - other_mean).squaredNorm();
  return std::isfinite(apart) && apart > reach;
}

RowMatrix comparable_costs(const Mixture& from, const Mixture& to, ComponentCost cost,
                           const Execution& execution) {
  if (!are_far_apart(from, to)) return component_costs(from, to, cost, execution);
  return component_costs(about(mean_of(from), from), about(mean_of(to), to), cost, execution);
}

}  // namespace lbw
