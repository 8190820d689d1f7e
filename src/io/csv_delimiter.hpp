// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace lbw {

/// The one of , ; and tab that occurs most often in the first line, outside quotes. The decimal
/// mark is not considered, and ties go to the first.
/// @throws IoError  if commas may be decimal marks: 1,5;2,5
[[nodiscard]] char detected_delimiter(std::string_view text, char decimal, const std::string& name);

}  // namespace lbw
