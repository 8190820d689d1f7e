// SPDX-License-Identifier: MIT
// Numbers and lists in the texts of the library and of programs that use it.
#pragma once

#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace lbw {

/// The number that all of `text` spells. It is empty if the text spells none, or one that does not
/// fit the type.
template <typename Number>
[[nodiscard]] std::optional<Number> number_from(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// Alternatives: "a, b or c". Each is put between `quote`.
[[nodiscard]] std::string choice_list(std::span<const std::string_view> names,
                                      std::string_view quote = "");
[[nodiscard]] std::string choice_list(std::span<const std::string> names,
                                      std::string_view quote = "");

/// Quoted names: 'a', 'b', 'c'.
[[nodiscard]] std::string quoted_list(std::span<const std::string> names);

}  // namespace lbw
