// SPDX-License-Identifier: MIT
// File readers for bytes in memory; `name` is the file name in messages.
#pragma once

#include <lbw/matrix.hpp>
#include <string>
#include <string_view>

namespace lbw {

[[nodiscard]] RowMatrix npy_from_bytes(std::string_view bytes, const std::string& name);

}  // namespace lbw
