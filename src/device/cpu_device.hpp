// SPDX-License-Identifier: MIT
#pragma once

#include "device/device.hpp"

namespace lbw {

[[nodiscard]] const Device& cpu_device();

}  // namespace lbw
