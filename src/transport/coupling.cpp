// SPDX-License-Identifier: MIT
#include <lbw/coupling.hpp>

#include "core/message.hpp"

namespace lbw {

std::string_view to_string(CouplingMethod method) {
  return method == CouplingMethod::matching ? "matching" : "plan";
}

CouplingMethod coupling_method_from(std::string_view name) {
  for (const CouplingMethod method : {CouplingMethod::matching, CouplingMethod::plan}) {
    if (to_string(method) == name) return method;
  }
  throw InvalidArgument(
      message("coupling: '", name, "' is unknown, expected 'matching' or 'plan'"));
}

std::string_view to_string(ComponentCost cost) {
  return cost == ComponentCost::means ? "means" : "bures";
}

ComponentCost component_cost_from(std::string_view name) {
  for (const ComponentCost cost : {ComponentCost::means, ComponentCost::bures}) {
    if (to_string(cost) == name) return cost;
  }
  throw InvalidArgument(message("cost: '", name, "' is unknown, expected 'means' or 'bures'"));
}

}  // namespace lbw
