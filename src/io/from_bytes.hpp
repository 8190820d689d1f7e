// SPDX-License-Identifier: MIT
// The readers of files, given their bytes; `name` stands for the file in messages.
#pragma once

#include <lbw/matrix.hpp>
#include <string>
#include <string_view>

namespace lbw {

[[nodiscard]] RowMatrix npy_from_bytes(std::string_view bytes, const std::string& name);

}  // namespace lbw
