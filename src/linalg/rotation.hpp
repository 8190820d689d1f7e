// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>
#include <lbw/types.hpp>

namespace lbw {

/// A uniformly distributed rotation (Haar measure): orthogonal, with determinant 1.
[[nodiscard]] Matrix haar_rotation(Index dimension, Random& random);

/// The largest entry of |R R' - I|; NaN if R has entries that are not finite.
[[nodiscard]] double distance_from_orthogonal(const Matrix& matrix);

}  // namespace lbw
