// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/mixture.hpp>

namespace lbw {

/// Splits the heaviest component across its longest axis, as a start for one more component.
[[nodiscard]] Mixture split_heaviest(const Mixture& mixture);

}  // namespace lbw
