// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace lbw {

/// The one of , ; and tab that occurs most often in the first line, outside quotes. If it occurs
/// less or more often in the next lines, as in a header with units after commas, another that
/// occurs equally often in all of them is preferred. The decimal mark is not considered, and ties
/// go to the first.
/// @param text     the beginning of a file, in whole lines
/// @throws IoError  if commas may be decimal marks: 1,5;2,5
[[nodiscard]] char detected_delimiter(std::string_view text, char decimal, const std::string& name);

/// The first line that Excel writes to name the delimiter: "sep=;".
struct DelimiterLine {
  std::size_t length = 0;  ///< with its end; 0 if there is no such line
  char delimiter = '\0';
};

/// @throws IoError  if the line names something that cannot be a delimiter
[[nodiscard]] DelimiterLine delimiter_line(std::string_view text, char decimal,
                                           const std::string& name);

}  // namespace lbw
