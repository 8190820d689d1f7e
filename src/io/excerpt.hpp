// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace lbw {

/// Text of a file for messages: at most 40 bytes, cut between characters, with control characters
/// shown as '?'. If it is not UTF-8, all bytes beyond ASCII are shown as '?'.
[[nodiscard]] std::string excerpt(std::string_view text);

}  // namespace lbw
