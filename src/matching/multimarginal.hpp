// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "matching/mass_tuple.hpp"

namespace lbw {

/// An optimal coupling of all groups, with the dual solution that proves it: no candidate tuple
/// costs less than the sum of the potentials of its members, and tuples with mass cost exactly that
/// (up to rounding).
struct MultimarginalPlan {
  std::vector<MassTuple> tuples;   ///< of positive mass
  std::vector<Vector> potentials;  ///< by group, one per component
};

/// Computes the masses of tuples with the least cost whose marginals are the weights of every
/// group. The cost of a tuple is the sum of the costs between all pairs of its members. This linear
/// program is solved by the simplex method. It has one unknown per possible tuple; tuples outside
/// the basis are enumerated and not stored.
///
/// If there are more than `most_tuples` possible tuples, groups between the first and the last use
/// only the cheapest components for each component of the first group. The result then costs at
/// most as much as the start, but possibly more than the optimum.
///
/// @param weights  component weights of every group, with equal sums
/// @param start    tuples with these marginals, for instance from glue_plans
[[nodiscard]] MultimarginalPlan multimarginal_plan(std::span<const Vector> weights,
                                                   const GroupCosts& cost,
                                                   const std::vector<MassTuple>& start,
                                                   double most_tuples = 4e6);

}  // namespace lbw
