// SPDX-License-Identifier: MIT
// Conversion between text and numbers.
#pragma once

#include <charconv>
#include <concepts>
#include <lbw/options.hpp>
#include <lbw/suggestion.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lbw::cli {

/// The shortest text that reads back to the same number.
template <typename Number>
[[nodiscard]] std::string to_text(Number value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return {buffer, end};
}

/// The parts of `text` between separators; one empty part for an empty text.
[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);

/// A number with a fixed number of decimals.
[[nodiscard]] std::string fixed(double value, int digits);

/// Pads on the left.
[[nodiscard]] std::string right(const std::string& text, std::size_t width);

/// Pads on the right.
[[nodiscard]] std::string left(const std::string& text, std::size_t width);

/// The extension of a path in lower case, for example ".csv"; empty if there is none.
[[nodiscard]] std::string extension_of(const std::string& path);

/// Whether a path ends in .gz or .zst.
[[nodiscard]] bool is_compressed(const std::string& path);

/// Whether a path ends in .npy.
[[nodiscard]] bool is_npy(const std::string& path);

/// "1 group", "2 groups"
template <std::integral Number>
[[nodiscard]] std::string counted(Number count, const std::string& noun) {
  return to_text(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace lbw::cli
