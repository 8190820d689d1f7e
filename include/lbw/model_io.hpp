// SPDX-License-Identifier: MIT
// Model files.
#pragma once

#include <filesystem>
#include <lbw/transport.hpp>
#include <string>
#include <string_view>

namespace lbw {

/// Writes a fitted model as one safetensors file (docs/model-format.md lists tensors and metadata).
/// The write is atomic: after a failure, the path holds the old file.
void save_model(const std::filesystem::path& path, const TransportModel& model);

/// Reads a model. Header length, offsets, overlaps, shapes, finiteness, weights, definiteness and
/// coupling are checked, and sizes are checked before memory is allocated.
/// @throws IoError  naming the file and the problem
[[nodiscard]] TransportModel load_model(const std::filesystem::path& path);

/// The same for bytes in memory; `name` is used in messages.
[[nodiscard]] std::string model_to_bytes(const TransportModel& model);
[[nodiscard]] TransportModel model_from_bytes(std::string_view bytes, const std::string& name);

}  // namespace lbw
