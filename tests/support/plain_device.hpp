// SPDX-License-Identifier: MIT
// The hot loops without vector instructions, straight from the formulas: the oracle of the kernels.
#pragma once

#include "device/device.hpp"

namespace lbw {

/// Any precision is double here.
[[nodiscard]] const Device& plain_device();

}  // namespace lbw
