// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

namespace lbw {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace lbw
