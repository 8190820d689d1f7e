// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace lbw {

/// Text of a file for messages: at most 40 bytes, cut between characters, with control characters
/// shown as '?'.
[[nodiscard]] std::string excerpt(std::string_view text);

/// Whether a name contains a character that could control a terminal: one of ASCII that is neither
/// visible nor a space, tab or line end.
[[nodiscard]] bool has_control_character(std::string_view name);

}  // namespace lbw
