// SPDX-License-Identifier: MIT
// The container of all model files (docs/model-format.md): safetensors, which is 8 bytes of header
// length, a JSON header, and the data of all tensors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lbw {

struct Tensor {
  std::string name;
  std::string dtype;  ///< "F64", "I64" or "U8"
  std::vector<std::uint64_t> shape;
  std::string_view data;  ///< little endian, row major; not owned
};

/// Texts by name, in the order in which they are written.
using Metadata = std::vector<std::pair<std::string, std::string>>;

struct TensorFile {
  Metadata metadata;
  std::vector<Tensor> tensors;  ///< in the order of their data
};

/// Depends only on its argument. The data starts at a multiple of 8.
/// @throws InvalidArgument  if a text is not UTF-8, a tensor's data does not match its shape, or
///                          would not start at a multiple of the size of its elements
[[nodiscard]] std::string tensor_file_to_bytes(const TensorFile& file);

/// Checks all entries of the header; the tensors are views of `bytes`.
/// @param name  the file name in messages
/// @throws IoError
[[nodiscard]] TensorFile tensor_file_from_bytes(std::string_view bytes, const std::string& name);

/// Writes a file of any kind of model. The write is atomic: after a failure, the path holds the
/// old file.
void save_tensor_file(const std::filesystem::path& path, const TensorFile& file);

/// The entries with which the metadata of every model file begins.
/// @param kind  what the file holds: "transport", "mixture" or "scores"
[[nodiscard]] Metadata model_metadata(std::string_view kind);

/// Checks that metadata belongs to a model file that this version can read.
/// @returns the kind of the model: "transport", "mixture" or "scores"
/// @throws IoError  naming the file and the problem
[[nodiscard]] std::string model_kind(const Metadata& metadata, const std::string& name);

/// Checks that a model file has the expected kind.
/// @throws IoError  that says what the file holds instead, and what reads it
void check_model_kind(const Metadata& metadata, std::string_view expected, const std::string& name);

/// "(3, 2)", for messages. Of more than 8 sides: "(1, 1, 1, 1, 1, 1, 1, 1 and 3 more)".
[[nodiscard]] std::string tensor_shape_text(const std::vector<std::uint64_t>& shape);

}  // namespace lbw
