// SPDX-License-Identifier: MIT
// The safetensors format: 8 bytes of header length, a JSON header, the data of all tensors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lbw {

struct Tensor {
  std::string name;
  std::string dtype;  ///< "F64" or "I64"
  std::vector<std::uint64_t> shape;
  std::string_view data;  ///< little endian, row major; somebody else's memory
};

struct TensorFile {
  std::vector<std::pair<std::string, std::string>> metadata;  ///< written in this order
  std::vector<Tensor> tensors;                                ///< in the order of their data
};

/// A function of its argument alone. The data starts at a multiple of 8. All text must be UTF-8.
[[nodiscard]] std::string tensor_file_to_bytes(const TensorFile& file);

/// Checks everything that the header claims; the tensors view `bytes`.
/// @param name  stands for the file in messages
/// @throws IoError
[[nodiscard]] TensorFile tensor_file_from_bytes(std::string_view bytes, const std::string& name);

/// "(3, 2)", as in the messages of this room.
[[nodiscard]] std::string tensor_shape_text(const std::vector<std::uint64_t>& shape);

}  // namespace lbw
