// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>
#include <lbw/types.hpp>

namespace lbw {

/// A rotation drawn uniformly (Haar's measure): orthogonal, of determinant 1.
[[nodiscard]] Matrix haar_rotation(Index dimension, Random& random);

/// The largest entry of |R R' - I|; not a number where R has one that is not finite.
[[nodiscard]] double distance_from_orthogonal(const Matrix& matrix);

}  // namespace lbw
