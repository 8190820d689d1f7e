// SPDX-License-Identifier: MIT
// Sizes and positions are signed (Index) in this library and unsigned in the standard library.
#pragma once

#include <concepts>
#include <cstddef>

namespace lbw {

/// A count or position for the standard library. It must not be negative.
[[nodiscard]] constexpr std::size_t to_size(std::signed_integral auto value) {
  return static_cast<std::size_t>(value);
}

/// values[position]
template <typename Values>
[[nodiscard]] constexpr decltype(auto) at(Values& values, std::signed_integral auto position) {
  return values[static_cast<std::size_t>(position)];
}

}  // namespace lbw
