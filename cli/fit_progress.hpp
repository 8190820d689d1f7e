// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_transport.hpp>
#include <span>

namespace lbw::cli {

/// fit_transport with a progress line, unless quiet. Signals end the fit at the next step.
[[nodiscard]] TransportModel fit_with_progress(std::span<const Group> groups,
                                               TransportOptions options, bool quiet);

}  // namespace lbw::cli
