// SPDX-License-Identifier: MIT
// Random transport models, without fitting.
#pragma once

#include <lbw/transport.hpp>

#include "support/mixtures.hpp"

namespace lbw {

struct ModelSettings {
  int n_groups = 2;
  Index n_components = 4;
  Index n_features = 2;
  CovarianceType covariance_type = CovarianceType::full;
  std::uint64_t seed = 0;
};

/// Groups "a", "b", ... of random mixtures, coupled at random to group 0.
[[nodiscard]] TransportModel random_model(const ModelSettings& settings);

/// Groups of n_components, n_components + 1, ..., coupled by plans to group 0.
[[nodiscard]] TransportModel random_plan_model(const ModelSettings& settings,
                                               ComponentCost cost = ComponentCost::means);

/// All weight on one group.
[[nodiscard]] std::vector<double> corner(Index n_groups, Index group);

}  // namespace lbw
