// SPDX-License-Identifier: MIT
// The targets of the groups along one axis of a sliced step.
#pragma once

#include <lbw/quantile.hpp>
#include <span>
#include <vector>

namespace lbw {

/// The input of a step along one axis. With q_g the table of group g, q = sum of share_g q_g, w_g
/// the barycentric weights and a_g the shrinkage, group g is mapped from q_g to
///
///   q_g + sum over h of w_h (1 - a_h) (q_h - q)  -  (1 - a_g) (q_g - q)
///
/// which is the mid-quantile if all a are 0, and q_g itself if all a are 1.
struct SlicedAxis {
  std::vector<const QuantileTable*> tables;     ///< one per group, with equally many levels
  std::span<const double> barycentric_weights;  ///< one per group
  std::span<const double> sample_counts;        ///< one per group, not all 0
  std::span<const double> shrinkage;            ///< one per group, 0 to 1
};

/// The target of a group. An atom is mapped to the mean over its levels, because a map cannot split
/// it, so it would lose spread in every step. If groups have atoms, the target is therefore
/// stretched about its mean until the group's image has the spread that the formula above gives for
/// the deviations of the tables.
[[nodiscard]] QuantileTable sliced_target(const SlicedAxis& axis, std::size_t group);

/// Fractions of all samples; equal if there are none.
[[nodiscard]] std::vector<double> shares_of_counts(std::span<const double> sample_counts);

}  // namespace lbw
