// SPDX-License-Identifier: MIT
#include "support/models.hpp"

#include <utility>

#include "transport/couple.hpp"

namespace lbw {

TransportModel random_model(const ModelSettings& settings) {
  TransportModel model;
  Random random(settings.seed, 99);
  const Index k = settings.n_components;
  model.coupling.tuples.resize(k, settings.n_groups);
  for (int g = 0; g < settings.n_groups; ++g) {
    model.group_names.emplace_back(1, static_cast<char>('a' + g));
    model.mixtures.push_back(
        random_mixture({.n_components = k,
                        .n_features = settings.n_features,
                        .covariance_type = settings.covariance_type,
                        .seed = settings.seed + static_cast<std::uint64_t>(g) + 1}));
    model.reports.push_back({100, -1.0, 3, true, 0});
    for (Index t = 0; t < k; ++t) model.coupling.tuples(t, g) = static_cast<int>(t);
    for (Index t = k - 1; t > 0 && g > 0; --t) {
      const auto other = static_cast<Index>(random.below(static_cast<std::uint64_t>(t) + 1));
      std::swap(model.coupling.tuples(t, g), model.coupling.tuples(other, g));
    }
  }
  model.coupling.masses = matching_masses(model.mixtures, model.coupling);
  model.mixture_options.n_components = static_cast<int>(k);
  model.mixture_options.covariance_type = settings.covariance_type;
  return model;
}

TransportModel random_plan_model(const ModelSettings& settings, ComponentCost cost) {
  TransportModel model = random_model(settings);
  for (int g = 0; g < settings.n_groups; ++g) {
    model.mixtures[static_cast<std::size_t>(g)] =
        random_mixture({.n_components = settings.n_components + g,
                        .n_features = settings.n_features,
                        .covariance_type = settings.covariance_type,
                        .seed = settings.seed + static_cast<std::uint64_t>(g) + 1});
  }
  model.coupling = couple(model.mixtures, 0, CouplingMethod::plan, cost, {});
  return model;
}

std::vector<double> corner(Index n_groups, Index group) {
  std::vector<double> weights(static_cast<std::size_t>(n_groups), 0.0);
  weights[static_cast<std::size_t>(group)] = 1.0;
  return weights;
}

}  // namespace lbw
