// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>

namespace lbw {

/// Where carried points came from: transport(map, x) = y gives x back for y.
///
/// A hard map is affine on every component of its source, so y has one candidate per component: its
/// inverse image under that component's piece. A candidate that lies in the component (Eq. 8) is
/// carried to y. Pieces may overlap and leave gaps, so there can be several such candidates or
/// none: of several the most probable one is returned, the lowest component of equals; where there
/// is none, y is no image of any point, and the most probable candidate is returned, which the map
/// carries elsewhere. The probability of a candidate x of component i is proportional to
/// pi_i N(x; m_i, S_i) / |det T_i|, the joint density of y and i under the map.
///
/// @param map     hard, or one whose pieces are all alike (one component each): soft maps have no
///                inverse in closed form, random ones send a point's neighbours to many places
/// @param points  (n_samples, n_features) that the map has carried
/// @return        (n_samples, n_features)
/// @throws InvalidArgument  for another kind of map, one that is refined or dithers, or a piece
///                          whose matrix is singular
[[nodiscard]] RowMatrix inverse_transport(const LocalMap& map, SampleView points,
                                          const Execution& execution = {});

}  // namespace lbw
