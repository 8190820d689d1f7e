// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>
#include <string>

namespace lbw {

/// "'age'", or "2 of 3" if features have no names.
[[nodiscard]] std::string feature_name(const TransportModel& model, Index feature);

}  // namespace lbw
