// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/picture.hpp>
#include <string>
#include <string_view>

namespace lbw {

/// Reads a PNG from its bytes; `name` stands for the file in messages.
[[nodiscard]] GrayImage png_from_bytes(std::string_view bytes, const std::string& name);

}  // namespace lbw
