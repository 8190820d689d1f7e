// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>
#include <span>
#include <vector>

namespace lbw {

/// Barycentric weights divided by their sum. Weights that sum to 1 within 1e-12 are returned
/// unchanged, so normalizing twice has no effect.
///
/// @throws InvalidArgument  unless there is the expected number of weights, all are finite and >=
///                          0, and at least one is above 0
[[nodiscard]] std::vector<double> normalized_weights(std::span<const double> weights,
                                                     Index expected_size, const char* function,
                                                     const char* argument);

}  // namespace lbw
