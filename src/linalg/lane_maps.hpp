// SPDX-License-Identifier: MIT
// Maps between many pairs of covariances at a time, one pair per vector lane.
#pragma once

#include <lbw/matrix.hpp>
#include <span>

namespace lbw {

/// The numbers of features for which lane_maps is faster than one map after the other.
inline constexpr Index fewest_lane_features = 2;
inline constexpr Index most_lane_features = 32;

struct LanePair {
  const Matrix* source = nullptr;
  const Matrix* target = nullptr;
  Matrix* map = nullptr;
  bool is_computed = false;  ///< set by lane_maps
};

/// The map of Eq. 3 of all pairs, which have the same number of features, within the limits above.
/// A pair is computed if both covariances are finite, symmetric (1e-8 of the largest entry),
/// positive definite and far enough from singular for about twelve digits of the map; otherwise its
/// map is unspecified. Maps are exactly symmetric. They do not depend on the other pairs.
void lane_maps(std::span<LanePair> pairs);

}  // namespace lbw
