// SPDX-License-Identifier: MIT
#include <lbw/transport.hpp>

#include <cmath>
#include <lbw/assignment.hpp>

#include "core/message.hpp"
#include "transport/component_costs.hpp"
#include "transport/unchecked.hpp"

namespace lbw {

namespace {

void check_pair(const Mixture& first, const Mixture& second, const Execution& execution,
                const char* function) {
  check_mixture(first, function, "first");
  check_mixture(second, function, "second");
  check_execution(execution, function);
  require(first.n_features() == second.n_features(), function, ": first has ",
          counted(first.n_features(), "feature"), " and second ", second.n_features(),
          ", expected equal numbers");
}

}  // namespace

RowMatrix squared_distances(const Mixture& first, const Mixture& second,
                            const Execution& execution) {
  check_pair(first, second, execution, "squared_distances");
  return component_costs(first, second, ComponentCost::bures, execution);
}

double mixture_distance(const Mixture& first, const Mixture& second, const Execution& execution) {
  check_pair(first, second, execution, "mixture_distance");
  return mixture_distance_unchecked(first, second, execution);
}

double mixture_distance_unchecked(const Mixture& first, const Mixture& second,
                                  const Execution& execution) {
  check_execution(execution, "mixture_distance");
  const RowMatrix cost = component_costs(first, second, ComponentCost::bures, execution);
  return std::sqrt(transport_plan(cost, first.weights, second.weights).cost);
}

}  // namespace lbw
