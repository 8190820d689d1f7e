// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <lbw/mixture.hpp>

namespace lbw {

/// A number above 0 that identifies a mixture, for MomentSums::mixture.
[[nodiscard]] std::uint64_t digest_of(const Mixture& mixture);

}  // namespace lbw
