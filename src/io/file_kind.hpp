// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace lbw {

/// Throws IoError if the first bytes are those of a known kind of file, and not of the expected
/// one: "table.csv is compressed by gzip, expected CSV; decompress it first, for example with
/// gunzip".
/// @param expected  "CSV", "a NumPy file (.npy)" or "a model file (safetensors)"
void refuse_other_kinds(std::string_view bytes, const std::string& name, std::string_view expected);

}  // namespace lbw
