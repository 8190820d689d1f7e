// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <lbw/assignment.hpp>

#include "core/indexing.hpp"
#include "report/model_report.hpp"
#include "transport/component_costs.hpp"
#include "transport/feature_scales.hpp"

namespace lbw {

namespace {

/// Two groups of a model and the costs between their components.
struct Pair {
  const TransportModel& model;
  Index first;
  Index second;
  RowMatrix cost;
  RowMatrix comparable;  ///< the same up to what all matchings have in common

  [[nodiscard]] const Vector& weights(Index group) const {
    return at(model.mixtures, group).weights;
  }
  [[nodiscard]] bool is_matched() const {
    return model.coupling.method == CouplingMethod::matching;
  }
};

/// The matching of the model, from its tuples.
Labels matching_of_model(const Pair& pair) {
  Labels matching(pair.cost.rows());
  for (Index t = 0; t < pair.model.coupling.tuples.rows(); ++t) {
    matching[pair.model.coupling.tuples(t, pair.first)] =
        pair.model.coupling.tuples(t, pair.second);
  }
  return matching;
}

double total_of(const RowMatrix& cost, const Labels& matching) {
  double total = 0.0;
  for (Index i = 0; i < matching.size(); ++i) total += cost(i, matching[i]);
  return total;
}

/// The least cost of moving the mass that the pairs leave over to where it is missing.
double cost_of_misplaced(const RowMatrix& cost, const Vector& left_over, const Vector& missing) {
  constexpr double rounding = 1e-14;  // of masses that sum to 1
  if (left_over.sum() <= rounding || missing.sum() <= rounding) return 0.0;
  return transport_plan(cost, left_over, missing * (left_over.sum() / missing.sum())).cost;
}

double cost_of_all_mass(const Pair& pair, const Labels& matching) {
  Vector left_over = pair.weights(pair.first);
  Vector missing = pair.weights(pair.second);
  double cost = 0.0;
  for (Index i = 0; i < matching.size(); ++i) {
    const double along = std::min(left_over[i], missing[matching[i]]);
    cost += along * pair.cost(i, matching[i]);
    left_over[i] -= along;
    missing[matching[i]] -= along;
  }
  return cost + cost_of_misplaced(pair.cost, left_over, missing);
}

double misplaced_mass_of(const Pair& pair, const Labels& matching) {
  double sum = 0.0;
  for (Index i = 0; i < matching.size(); ++i) {
    sum += std::abs(pair.weights(pair.first)[i] - pair.weights(pair.second)[matching[i]]);
  }
  return 0.5 * sum;
}

/// The MW2 distance between the target and the target with the weights of the components matched to
/// it.
double distance_left(const Vector& transported_weights, const Mixture& target,
                     const Execution& execution) {
  const RowMatrix cost = component_costs(target, target, ComponentCost::bures, execution);
  return std::sqrt(transport_plan(cost, transported_weights, target.weights).cost);
}

double remaining_distance_of(const Pair& pair, const Labels& matching, const Execution& execution) {
  const Mixture& first = at(pair.model.mixtures, pair.first);
  const Mixture& second = at(pair.model.mixtures, pair.second);
  Vector there(matching.size());
  Vector back(matching.size());
  for (Index i = 0; i < matching.size(); ++i) {
    there[matching[i]] = first.weights[i];
    back[i] = second.weights[matching[i]];
  }
  return std::max(distance_left(there, second, execution), distance_left(back, first, execution));
}

double gap_of(const RowMatrix& cost, const Labels& matching, const Matching& best) {
  if (best.matching == matching) return runner_up(cost).gap;
  return best.cost - total_of(cost, matching);  // this matching is not the best
}

MatchingReport matching_report(const Pair& pair, const Execution& execution) {
  MatchingReport report;
  const Matching best = match(pair.comparable);
  report.is_coupling = pair.is_matched();
  report.matching = pair.is_matched() ? matching_of_model(pair) : best.matching;
  report.misplaced_mass = misplaced_mass_of(pair, report.matching);
  report.remaining_distance = remaining_distance_of(pair, report.matching, execution);
  report.cost = cost_of_all_mass(pair, report.matching);
  report.total = total_of(pair.cost, report.matching);
  report.gap = gap_of(pair.comparable, report.matching, best);
  return report;
}

double cost_along_tuples(const Pair& pair) {
  const Coupling& coupling = pair.model.coupling;
  double cost = 0.0;
  for (Index t = 0; t < coupling.masses.size(); ++t) {
    cost += coupling.masses[t] *
            pair.cost(coupling.tuples(t, pair.first), coupling.tuples(t, pair.second));
  }
  return cost;
}

double least_cost(const Pair& pair, const RowMatrix& cost) {
  return transport_plan(cost, pair.weights(pair.first), pair.weights(pair.second)).cost;
}

/// @param mixtures  those of the model in the units of its coupling
PairReport pair_report(const TransportModel& model, std::span<const Mixture> mixtures, Index first,
                       Index second, const Execution& execution) {
  const Mixture& from = at(model.mixtures, first);
  const Mixture& to = at(model.mixtures, second);
  const RowMatrix bures = component_costs(from, to, ComponentCost::bures, execution);
  const Mixture& scaled_from = at(mixtures, first);
  const Mixture& scaled_to = at(mixtures, second);
  const ComponentCost kind = model.coupling.cost;
  const RowMatrix cost = component_costs(scaled_from, scaled_to, kind, execution);
  const Pair pair{model, first, second, cost,
                  are_far_apart(scaled_from, scaled_to)
                      ? comparable_costs(scaled_from, scaled_to, kind, execution)
                      : cost};
  PairReport report;
  report.first = at(model.group_names, first);
  report.second = at(model.group_names, second);
  report.mixture_distance = std::sqrt(least_cost(pair, bures));
  report.plan_cost = least_cost(pair, pair.cost);
  if (from.n_components() == to.n_components()) {
    report.matching = matching_report(pair, execution);
  }
  report.coupling_cost = pair.is_matched() ? report.matching->cost : cost_along_tuples(pair);
  return report;
}

}  // namespace

std::vector<PairReport> pair_reports(const TransportModel& model, const Execution& execution) {
  const std::vector<Mixture> mixtures = scaled(model.mixtures, model.scales);
  std::vector<PairReport> reports;
  for (Index first = 0; first < model.n_groups(); ++first) {
    for (Index second = first + 1; second < model.n_groups(); ++second) {
      reports.push_back(pair_report(model, mixtures, first, second, execution));
    }
  }
  return reports;
}

}  // namespace lbw
