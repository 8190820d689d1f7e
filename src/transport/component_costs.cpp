// SPDX-License-Identifier: MIT
#include "transport/component_costs.hpp"

#include "core/parallel.hpp"
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

/// The covariance part of Eq. 2 for pairs of components.
class CovarianceCosts {
 public:
  CovarianceCosts(const Mixture& from, const Mixture& to) : from_(from), to_(to) {
    const bool one_pair =
        layout_of(from.covariance_type).is_shared && layout_of(to.covariance_type).is_shared;
    if (one_pair) shared_ = of_matrices(0, 0);
    commute_ =
        from.covariance_type == to.covariance_type && !layout_of(to.covariance_type).has_matrices();
  }

  [[nodiscard]] double operator()(Index i, Index j) const {
    if (shared_) return *shared_;
    return commute_ ? of_variances(i, j) : of_matrices(i, j);
  }

 private:
  // diagonal covariances commute, so the distance is that of the standard deviations
  [[nodiscard]] double of_variances(Index i, Index j) const {
    const bool spherical = layout_of(from_.covariance_type).is_spherical();
    const double copies = spherical ? static_cast<double>(from_.n_features()) : 1.0;
    return copies *
           (compact_covariance(from_, i).cwiseSqrt() - compact_covariance(to_, j).cwiseSqrt())
               .squaredNorm();
  }

  [[nodiscard]] double of_matrices(Index i, Index j) const {
    const Vector origin = Vector::Zero(from_.n_features());
    return squared_distance_unchecked({origin, from_.component(i).covariance},
                                      {origin, to_.component(j).covariance});
  }

  const Mixture& from_;
  const Mixture& to_;
  std::optional<double> shared_;
  bool commute_ = false;
};

void add_covariance_costs(const Mixture& from, const Mixture& to, const Execution& execution,
                          RowMatrix& cost) {
  const CovarianceCosts covariance_cost(from, to);
  const auto d = static_cast<double>(from.n_features());
  const double work = static_cast<double>(cost.size()) * (50.0 * d * d * d + 100.0);
  for_each_chunk(cost.rows(), threads_worth(work, execution), [&](Index i) {
    for (Index j = 0; j < cost.cols(); ++j) cost(i, j) += covariance_cost(i, j);
  });
}

}  // namespace

RowMatrix component_costs(const Mixture& from, const Mixture& to, ComponentCost cost,
                          const Execution& execution) {
  RowMatrix costs = squared_mean_distances(from, to);
  if (cost == ComponentCost::bures) add_covariance_costs(from, to, execution, costs);
  return costs;
}

}  // namespace lbw
