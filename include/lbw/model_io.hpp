// SPDX-License-Identifier: MIT
// Model files.
#pragma once

#include <filesystem>
#include <lbw/transport.hpp>
#include <string>
#include <string_view>

namespace lbw {

/// Writes a fitted model as one safetensors file (docs/model-format.md lists tensors and metadata),
/// aside, flushed, then renamed: whatever happens, the path holds the old file or the new one.
void save_model(const std::filesystem::path& path, const TransportModel& model);

/// Reads a model. Everything is checked before memory is taken by what the file claims: header
/// length, offsets, overlaps, shapes, finiteness, weights, definiteness, coupling.
/// @throws IoError naming the file and what is wrong with it
[[nodiscard]] TransportModel load_model(const std::filesystem::path& path);

/// The same as bytes in memory; `name` stands for the file in messages.
[[nodiscard]] std::string model_to_bytes(const TransportModel& model);
[[nodiscard]] TransportModel model_from_bytes(std::string_view bytes, const std::string& name);

}  // namespace lbw
