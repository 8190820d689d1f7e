// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace lbw {

/// Text of a file for messages: at most 40 bytes, cut between characters, with control characters
/// shown as '?'. If it is not UTF-8, all bytes beyond ASCII are shown as '?'.
[[nodiscard]] std::string excerpt(std::string_view text);

/// Whether a name contains a character that could control a terminal: one of ASCII that is neither
/// visible nor a space, tab or line end.
[[nodiscard]] bool has_control_character(std::string_view name);

/// Whether a text is UTF-8, without overlong forms and surrogates.
[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace lbw
