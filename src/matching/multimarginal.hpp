// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "matching/mass_tuple.hpp"

namespace lbw {

/// A coupling of all groups that costs least, with the dual solution that proves it: no tuple that
/// was tried costs less than the sum of the potentials of its members, tuples with mass cost
/// exactly that (to rounding).
struct MultimarginalPlan {
  std::vector<MassTuple> tuples;   ///< of positive mass
  std::vector<Vector> potentials;  ///< by group, one per component
};

/// The masses of tuples with the least cost, the cost of a tuple being the sum of the costs between
/// every two of its members, whose sums are the weights of every group: a linear program, solved by
/// the simplex method. It has one unknown for every tuple there could be; those that are not in the
/// basis are looked at one after another and never kept.
///
/// Where there could be more than `most_tuples`, groups between the first and the last take part
/// with only so many components as are cheapest beside each of the first group's. The result then
/// costs no more than the start, and perhaps more than the best of all tuples.
///
/// @param weights  of the components of every group, one sum for all
/// @param start    tuples whose masses have these sums, as of glue_plans
[[nodiscard]] MultimarginalPlan multimarginal_plan(std::span<const Vector> weights,
                                                   const GroupCosts& cost,
                                                   const std::vector<MassTuple>& start,
                                                   double most_tuples = 4e6);

}  // namespace lbw
