// SPDX-License-Identifier: MIT
#include <lbw/coupling.hpp>

#include "core/message.hpp"

namespace lbw {

std::string_view to_string(CouplingMethod method) {
  switch (method) {
    case CouplingMethod::matching:
      return "matching";
    case CouplingMethod::plan:
      return "plan";
    case CouplingMethod::multimarginal:
      return "multimarginal";
  }
  return "";
}

CouplingMethod coupling_method_from(std::string_view name) {
  for (const CouplingMethod method :
       {CouplingMethod::matching, CouplingMethod::plan, CouplingMethod::multimarginal}) {
    if (to_string(method) == name) return method;
  }
  throw InvalidArgument(
      message("coupling: '", name, "' is unknown, expected 'matching', 'plan' or 'multimarginal'"));
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
