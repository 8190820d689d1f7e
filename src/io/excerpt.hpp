// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace lbw {

/// Text of a file as messages show it: at most 40 bytes, cut between characters, control characters
/// as '?'.
[[nodiscard]] std::string excerpt(std::string_view text);

}  // namespace lbw
