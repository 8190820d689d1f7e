// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/mixture.hpp>

namespace lbw {

/// The mixture with its heaviest component cut in two across its longest axis: a start for one
/// component more.
[[nodiscard]] Mixture split_heaviest(const Mixture& mixture);

}  // namespace lbw
