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
  std::string_view data;  ///< little endian, row major; not owned
};

struct TensorFile {
  std::vector<std::pair<std::string, std::string>> metadata;  ///< written in this order
  std::vector<Tensor> tensors;                                ///< in the order of their data
};

/// Depends only on its argument. The data starts at a multiple of 8. All text must be UTF-8.
[[nodiscard]] std::string tensor_file_to_bytes(const TensorFile& file);

/// Checks all entries of the header; the tensors are views of `bytes`.
/// @param name  the file name in messages
/// @throws IoError
[[nodiscard]] TensorFile tensor_file_from_bytes(std::string_view bytes, const std::string& name);

/// "(3, 2)", for messages.
[[nodiscard]] std::string tensor_shape_text(const std::vector<std::uint64_t>& shape);

}  // namespace lbw
