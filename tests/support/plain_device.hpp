// SPDX-License-Identifier: MIT
// The hot loops without vector instructions, directly from the formulas, as reference for the
// kernels.
#pragma once

#include "device/device.hpp"

namespace lbw {

/// It always uses double precision.
[[nodiscard]] const Device& plain_device();

}  // namespace lbw
