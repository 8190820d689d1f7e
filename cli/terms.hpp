// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace lbw::cli {

/// A message of the library in the terms of the program: without the names of C++ functions, and
/// with options as they are typed. Quoted text, such as the name of a group, is not changed.
[[nodiscard]] std::string in_terms_of_the_program(std::string_view text);

}  // namespace lbw::cli
