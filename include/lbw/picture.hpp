// SPDX-License-Identifier: MIT
// Pictures and silhouettes.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <lbw/matrix.hpp>
#include <lbw/samples.hpp>
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

/// n points uniform in the dark part (grey below 128) of a picture: x to the right, y downwards, in
/// units of the longer side, the picture centred in the unit square. A function of picture and
/// seed.
/// @throws InvalidArgument when nothing is dark, or n_points < 1
[[nodiscard]] RowMatrix silhouette_points(const GrayImage& image, Index n_points,
                                          std::uint64_t seed);

struct DensityOptions {
  Index size = 200;        ///< pixels of a side of the square picture of the unit square
  double bandwidth = 2.0;  ///< standard deviation of the Gaussian kernel, in pixels
};

/// Points to a density on a square grid, by a Gaussian kernel; points outside the unit square are
/// left out. Values sum to about 1; row 0 is the top.
/// @param point_weights  empty, or one per point, >= 0
[[nodiscard]] RowMatrix point_density(const MatrixView& points, const Vector& point_weights = {},
                                      const DensityOptions& options = {});

/// Otsu's threshold of a picture: the value that best parts the dark from the light, over a
/// histogram of 256 bins.
[[nodiscard]] double otsu_threshold(const MatrixView& picture);

}  // namespace lbw
