// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/types.hpp>
#include <string_view>

namespace lbw {

/// How the components of groups are coupled.
enum class CouplingMethod {
  matching,  ///< one to one, whatever the components weigh (Algorithm 2)
  plan,      ///< by an optimal plan between their weights: mass is kept, components may be split
  /// All groups at once, at the least sum of costs between every two: the same as plan for two
  /// groups, and with more of them no group is a reference. Chosen among all tuples of components;
  /// where these are more than 4 million, among those that are near each other, and coupling_cost
  /// tells how much that may cost.
  multimarginal,
};

/// "matching", "plan" or "multimarginal".
[[nodiscard]] std::string_view to_string(CouplingMethod method);
/// The inverse of to_string. @throws InvalidArgument listing the names.
[[nodiscard]] CouplingMethod coupling_method_from(std::string_view name);

/// What it costs to bring two components together.
enum class ComponentCost {
  means,  ///< squared distance of their means (Algorithm 2)
  bures,  ///< squared Bures-Wasserstein distance (Eq. 2): covariances count too
};

/// "means" or "bures".
[[nodiscard]] std::string_view to_string(ComponentCost cost);
/// The inverse of to_string. @throws InvalidArgument listing the names.
[[nodiscard]] ComponentCost component_cost_from(std::string_view name);

/// Which components belong together: tuples with one component of every group. A matching to the
/// reference group gives one tuple per component of the reference (Algorithm 2). Plans give more,
/// and a component may occur in several.
struct Coupling {
  CouplingMethod method = CouplingMethod::matching;
  ComponentCost cost = ComponentCost::means;
  Index reference = 0;  ///< the group that the others were coupled to; multimarginal: of no account
  /// (n_tuples, n_groups): tuples(t, g) is the component of group g in tuple t.
  MatrixOf<int, Order::row_major> tuples;
  /// (n_tuples), >= 0, summing to 1. matching: the mean of what the members weigh. Otherwise those
  /// of the tuples with a component sum to its weight, in every group.
  Vector masses;
};

}  // namespace lbw
