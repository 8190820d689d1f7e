// SPDX-License-Identifier: MIT
#include "transport/couple.hpp"

#include <lbw/matching.hpp>

namespace lbw {

namespace {

// C_ij = ||m_i - m_j||^2, by differences: the expanded form loses digits far from the origin.
RowMatrix squared_mean_distances(const Mixture& from, const Mixture& to) {
  RowMatrix cost(from.n_components(), to.n_components());
  for (Index i = 0; i < from.n_components(); ++i) {
    for (Index j = 0; j < to.n_components(); ++j) {
      cost(i, j) = (from.means.row(i) - to.means.row(j)).squaredNorm();
    }
  }
  return cost;
}

}  // namespace

Coupling couple_by_means(std::span<const Mixture> mixtures, Index reference) {
  const Mixture& center = mixtures[static_cast<std::size_t>(reference)];
  Coupling coupling;
  coupling.reference = reference;
  coupling.tuples.resize(center.n_components(), std::ssize(mixtures));
  for (Index g = 0; g < std::ssize(mixtures); ++g) {
    if (g == reference) {
      coupling.tuples.col(g).setLinSpaced(0, static_cast<int>(center.n_components()) - 1);
    } else {
      const Mixture& other = mixtures[static_cast<std::size_t>(g)];
      coupling.tuples.col(g) = match(squared_mean_distances(center, other)).matching;
    }
  }
  return coupling;
}

RowMatrix tuple_masses(const TransportModel& model) {
  const auto& tuples = model.coupling.tuples;
  RowMatrix masses(tuples.rows(), tuples.cols());
  for (Index t = 0; t < tuples.rows(); ++t) {
    for (Index g = 0; g < tuples.cols(); ++g) {
      masses(t, g) = model.mixtures[static_cast<std::size_t>(g)].weights[tuples(t, g)];
    }
  }
  return masses;
}

}  // namespace lbw
