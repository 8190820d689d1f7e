// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <lbw/types.hpp>
#include <vector>

namespace lbw {

/// Grey values, 0 black to 255 white; row 0 is the top.
using GrayImage = MatrixOf<std::uint8_t, Order::row_major>;

struct RgbImage {
  Index width = 0;
  Index height = 0;
  std::vector<std::uint8_t> pixels;  ///< 3 bytes a pixel, rows from the top

  /// A picture of one colour.
  [[nodiscard]] static RgbImage filled(Index width, Index height,
                                       std::array<std::uint8_t, 3> colour);
};

/// Reads any PNG as grey values, transparent parts laid on white.
/// @throws IoError when it is not a PNG, is truncated or corrupt, or exceeds 16384 x 16384
[[nodiscard]] GrayImage read_png(const std::filesystem::path& path);

/// Write aside, then rename: an existing file stays until the new one is whole.
void write_png(const std::filesystem::path& path, const GrayImage& image);
void write_png(const std::filesystem::path& path, const RgbImage& image);

}  // namespace lbw
