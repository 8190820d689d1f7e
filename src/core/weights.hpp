// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/matrix.hpp>
#include <span>
#include <vector>

namespace lbw {

/// Barycentric weights divided by their sum, whatever their size. Weights that sum to 1 within
/// 1e-12 are returned bit by bit, so normalizing twice changes nothing.
///
/// @throws InvalidArgument  unless there are as many as expected, all are finite and >= 0, and one
///                          is above 0
[[nodiscard]] std::vector<double> normalized_weights(std::span<const double> weights,
                                                     Index expected_size, const char* function,
                                                     const char* argument);

}  // namespace lbw
