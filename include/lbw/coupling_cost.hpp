// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>

namespace lbw {

struct CouplingCost {
  double cost = 0.0;  ///< of the tuples by their masses, summed over every two groups
  /// What every coupling of these mixtures costs at least: every two groups by a plan of their own.
  double at_least = 0.0;
};

/// What the coupling of a model costs, in the measure that it was made for (Coupling::cost).
///
/// With two groups the two numbers are equal. With more, plans to a reference cost more than they
/// must where the other groups do not agree, and a multimarginal coupling costs no more than it
/// must; what `cost` is above `at_least` bounds what any coupling could gain.
///
/// @throws InvalidArgument for a matching, which does not keep to the weights
[[nodiscard]] CouplingCost coupling_cost(const TransportModel& model,
                                         const Execution& execution = {});

}  // namespace lbw
