// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <lbw/matrix.hpp>

namespace lbw {

/// A copy of the numbers in an order in which those of the given ranks are where sorting would put
/// them. Other numbers may be anywhere. -0 becomes 0. For 514 ranks among 15,500 numbers, this
/// takes about half of the time of sort_ascending.
///
/// @param values  finite
/// @param ranks   ascending, from 0 to the number of values - 1
[[nodiscard]] std::vector<double> sorted_at_ranks(std::span<const double> values,
                                                  std::span<const Index> ranks);

}  // namespace lbw
