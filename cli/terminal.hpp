// SPDX-License-Identifier: MIT
// Terminals: their width, the width of characters, line breaks and colour.
#pragma once

#include <cstdio>
#include <lbw/types.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lbw {

namespace cli {

/// When to use colour.
enum class ColorMode { automatic, always, never };

}  // namespace cli

template <>
struct EnumNames<cli::ColorMode> {
  static constexpr std::string_view option = "color";
  static constexpr NamedValue<cli::ColorMode> values[] = {{cli::ColorMode::automatic, "auto"},
                                                          {cli::ColorMode::always, "always"},
                                                          {cli::ColorMode::never, "never"}};
};

}  // namespace lbw

namespace lbw::cli {

/// The width of the terminal of a stream in columns. Without a terminal it is COLUMNS, and
/// otherwise `fallback`.
[[nodiscard]] std::size_t terminal_width(std::FILE* stream, std::size_t fallback = 80);

/// The number of columns that a UTF-8 text takes: two for wide characters, such as Chinese ones,
/// and none for combining and control characters. An invalid byte takes one.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// The character in each column of a text. The second column of a wide character is empty.
[[nodiscard]] std::vector<std::string> by_columns(std::string_view text);

/// The text if it takes at most `width` columns, otherwise its beginning and "...".
[[nodiscard]] std::string clipped(std::string_view text, std::size_t width);

/// Breaks a text into lines of at most `width` columns between words. Longer words have a line of
/// their own, unless `splits_words`.
[[nodiscard]] std::vector<std::string> wrapped_lines(std::string_view text, std::size_t width,
                                                     bool splits_words = false);

/// Pads a text on the right to `width` columns.
[[nodiscard]] std::string padded(std::string_view text, std::size_t width);

/// By default, colour is used on terminals unless NO_COLOR is set or TERM is "dumb".
void set_color_mode(ColorMode mode);
[[nodiscard]] bool uses_color(std::FILE* stream);

enum class Paint { bold, red, yellow };
/// The text in bold letters, in bold red or in bold yellow if the stream uses colour.
[[nodiscard]] std::string painted(std::string_view text, Paint paint, std::FILE* stream);

}  // namespace lbw::cli
