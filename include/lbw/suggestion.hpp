// SPDX-License-Identifier: MIT
// What was probably meant by a misspelt name, for error messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lbw {

/// "; did you mean 'fit'?" if one of the words is only a few keys away, and nothing otherwise.
[[nodiscard]] std::string suggestion(std::string_view typed, std::span<const std::string> words);

}  // namespace lbw
