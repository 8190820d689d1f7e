// SPDX-License-Identifier: MIT
// Maps between many pairs of covariances at a time, one pair per vector lane.
#pragma once

#include <lbw/matrix.hpp>
#include <span>

namespace lbw {

/// The numbers of features for which lane_maps is faster than one map after the other.
inline constexpr Index fewest_lane_features = 2;
inline constexpr Index most_lane_features = 32;

/// Matrices of n_features * n_features numbers without gaps. Their two orders give the same map.
struct LanePair {
  const double* source = nullptr;
  const double* target = nullptr;
  double* map = nullptr;
  bool is_computed = false;  ///< set by lane_maps
};

/// The map of Eq. 3 of all pairs, for a number of features within the limits above.
/// A pair is computed if both covariances are finite, symmetric (1e-8 of the largest entry),
/// positive definite and far enough from singular for about twelve digits of the map; otherwise its
/// map is unspecified. Maps are exactly symmetric. They do not depend on the other pairs.
void lane_maps(std::span<LanePair> pairs, Index n_features);

}  // namespace lbw
