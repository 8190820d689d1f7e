// SPDX-License-Identifier: MIT
// Conversion between text and numbers.
#pragma once

#include <charconv>
#include <concepts>
#include <lbw/options.hpp>
#include <lbw/suggestion.hpp>
#include <optional>
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

/// The parts of a list between commas. A part that begins with a double quote may contain commas,
/// as in CSV.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);

/// A name of a list without the double quotes around it. Nothing if they are not closed at its end.
[[nodiscard]] std::optional<std::string> unquoted(std::string_view part);

/// Names as a list that a shell and split_list read.
[[nodiscard]] std::string list_text(const std::vector<std::string>& names);

/// Replaces every `from` of a text.
[[nodiscard]] std::string replaced(std::string text, std::string_view from, std::string_view to);

/// A text between single quotes of a shell.
[[nodiscard]] std::string shell_quoted(const std::string& text);

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
