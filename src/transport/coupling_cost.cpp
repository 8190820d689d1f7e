// SPDX-License-Identifier: MIT
#include <lbw/assignment.hpp>
#include <lbw/transport.hpp>

#include "core/message.hpp"
#include "transport/component_costs.hpp"
#include "transport/feature_scales.hpp"

namespace lbw {

CouplingCost coupling_cost(const TransportModel& model, const Execution& execution) {
  check_model(model, "coupling_cost");
  const Coupling& coupling = model.coupling;
  require(coupling.method != CouplingMethod::matching,
          "coupling_cost: the coupling is a matching, expected plan or multimarginal");
  const std::vector<Mixture> mixtures = scaled(model.mixtures, model.scales);
  CouplingCost result;
  for (std::size_t a = 0; a < mixtures.size(); ++a) {
    for (std::size_t b = a + 1; b < mixtures.size(); ++b) {
      const Mixture& first = mixtures[a];
      const Mixture& second = mixtures[b];
      const RowMatrix costs = component_costs(first, second, coupling.cost, execution);
      for (Index t = 0; t < coupling.masses.size(); ++t) {
        result.cost += coupling.masses[t] * costs(coupling.tuples(t, static_cast<Index>(a)),
                                                  coupling.tuples(t, static_cast<Index>(b)));
      }
      result.at_least += transport_plan(costs, first.weights, second.weights).cost;
    }
  }
  return result;
}

}  // namespace lbw
