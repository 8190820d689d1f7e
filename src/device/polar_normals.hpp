// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>

namespace lbw {

/// finish_polar_normals needs multiples of this many numbers. The padding is a squared radius in
/// (0, 1) as well.
inline constexpr Index normals_at_once = 8;

/// The second half of Marsaglia's polar method, for many draws together: with s the squared radius
/// of a uniform point in the unit disc, each of its coordinates becomes the normal draw
/// coordinate * sqrt(-2 log(s) / s). The result of a draw does not depend on its position.
///
/// @param n  a multiple of normals_at_once
void finish_polar_normals(Index n, const double* squared_radii, double* coordinates);

}  // namespace lbw
