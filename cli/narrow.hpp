// SPDX-License-Identifier: MIT
// Reports and messages on narrow terminals.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace lbw::cli {

/// The text with lines of at most `width` columns, as far as its words allow. Sentences are broken
/// between words. Tables, whose cells are two or more spaces apart, are broken between columns, and
/// every part has the first column.
[[nodiscard]] std::string fitted_lines(std::string_view text, std::size_t width);

/// The same for the width of a terminal; the text itself if the stream is not a terminal.
[[nodiscard]] std::string for_terminal(const std::string& text, std::FILE* stream);

}  // namespace lbw::cli
