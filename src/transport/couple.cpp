// SPDX-License-Identifier: MIT
#include "transport/couple.hpp"

#include <lbw/assignment.hpp>
#include <map>
#include <memory>
#include <set>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "matching/glue_plans.hpp"
#include "matching/multimarginal.hpp"
#include "transport/component_costs.hpp"
#include "transport/feature_scales.hpp"

namespace lbw {

namespace {

void check_tuples(std::span<const Mixture> mixtures, const Coupling& coupling) {
  constexpr const char* function = "matching_masses";
  require(coupling.tuples.cols() == std::ssize(mixtures), function, ": the coupling joins ",
          counted(coupling.tuples.cols(), "group"), ", but ", counted(mixtures.size(), "mixture"),
          mixtures.size() == 1 ? " was" : " were", " given");
  for (Index g = 0; g < coupling.tuples.cols(); ++g) {
    const Index k = at(mixtures, g).n_components();
    for (const int component : coupling.tuples.col(g)) {
      require(component >= 0 && component < k, function, ": a tuple refers to component ",
              component, " of mixture ", g, ", which has ", counted(k, "component"));
    }
  }
}

void match_groups(std::span<const Mixture> mixtures, const Execution& execution,
                  Coupling& coupling) {
  const Mixture& center = at(mixtures, coupling.reference);
  coupling.tuples.resize(center.n_components(), std::ssize(mixtures));
  for (Index g = 0; g < std::ssize(mixtures); ++g) {
    throw_if_stopped(execution);
    if (g == coupling.reference) {
      coupling.tuples.col(g).setLinSpaced(0, static_cast<int>(center.n_components()) - 1);
    } else {
      const RowMatrix costs = comparable_costs(center, at(mixtures, g), coupling.cost, execution);
      coupling.tuples.col(g) = match(costs).matching;
    }
  }
  coupling.masses = matching_masses(mixtures, coupling);
}

/// Adds tuples of zero mass from another coupling for components that are in no tuple.
std::vector<MassTuple> with_every_component(std::vector<MassTuple> tuples,
                                            const std::vector<MassTuple>& others) {
  std::set<std::pair<std::size_t, int>> present;  // group and component
  const auto add = [&present](const MassTuple& tuple) {
    bool added = false;
    for (std::size_t g = 0; g < tuple.components.size(); ++g) {
      added = present.insert({g, tuple.components[g]}).second || added;
    }
    return added;
  };
  for (const MassTuple& tuple : tuples) add(tuple);
  for (const MassTuple& other : others) {
    if (add(other)) tuples.push_back({other.components, 0.0});
  }
  return tuples;
}

/// The same costs, each of which is computed once. Their number is quadratic in that of the groups.
GroupCosts kept_costs(const GroupCosts& costs) {
  const auto kept = std::make_shared<std::map<std::pair<Index, Index>, RowMatrix>>();
  return [kept, costs](Index first, Index second) {
    RowMatrix& cost = (*kept)[{first, second}];
    if (cost.size() == 0) cost = costs(first, second);
    return cost;
  };
}

void plan_groups(std::span<const Mixture> mixtures, const Execution& execution,
                 Coupling& coupling) {
  std::vector<Vector> weights;
  for (const Mixture& mixture : mixtures) weights.push_back(mixture.weights);
  const GroupCosts costs = [&](Index first, Index second) {
    throw_if_stopped(execution);
    return comparable_costs(at(mixtures, first), at(mixtures, second), coupling.cost, execution);
  };
  std::vector<MassTuple> tuples;
  if (coupling.method == CouplingMethod::multimarginal) {
    const GroupCosts kept = kept_costs(costs);
    tuples = glue_plans(weights, coupling.reference, kept);
    tuples = with_every_component(multimarginal_plan(weights, kept, tuples).tuples, tuples);
  } else {
    tuples = glue_plans(weights, coupling.reference, costs);
  }
  coupling.tuples.resize(std::ssize(tuples), std::ssize(mixtures));
  coupling.masses.resize(std::ssize(tuples));
  for (std::size_t t = 0; t < tuples.size(); ++t) {
    const auto row = static_cast<Index>(t);
    for (std::size_t g = 0; g < mixtures.size(); ++g) {
      coupling.tuples(row, static_cast<Index>(g)) = tuples[t].components[g];
    }
    coupling.masses[row] = tuples[t].mass;
  }
}

}  // namespace

Coupling couple(std::span<const Mixture> mixtures, Index reference, CouplingMethod method,
                ComponentCost cost, const Execution& execution) {
  Coupling coupling{method, cost, reference, {}, {}};
  if (method == CouplingMethod::matching) {
    match_groups(mixtures, execution, coupling);
  } else {
    plan_groups(mixtures, execution, coupling);
  }
  return coupling;
}

void couple_components(const TransportOptions& options, TransportModel& model) {
  if (options.scale_features) model.scales = feature_spread(model.mixtures);
  model.coupling = couple(scaled(model.mixtures, model.scales), model.coupling.reference,
                          options.coupling, options.cost, options.mixture.execution);
}

Index reference_index(const TransportModel& model, const std::string& reference) {
  return reference.empty() ? 0 : model.group_index(reference);
}

Vector matching_masses(std::span<const Mixture> mixtures, const Coupling& coupling) {
  check_tuples(mixtures, coupling);
  Vector masses = Vector::Zero(coupling.tuples.rows());
  for (Index t = 0; t < coupling.tuples.rows(); ++t) {
    for (Index g = 0; g < coupling.tuples.cols(); ++g) {
      masses[t] += at(mixtures, g).weights[coupling.tuples(t, g)];
    }
  }
  return masses / static_cast<double>(mixtures.size());
}

RowMatrix tuple_masses(const TransportModel& model) {
  const auto& tuples = model.coupling.tuples;
  RowMatrix masses(tuples.rows(), tuples.cols());
  for (Index t = 0; t < tuples.rows(); ++t) {
    for (Index g = 0; g < tuples.cols(); ++g) {
      masses(t, g) = model.coupling.method == CouplingMethod::matching
                         ? at(model.mixtures, g).weights[tuples(t, g)]
                         : model.coupling.masses[t];
    }
  }
  return masses;
}

}  // namespace lbw
