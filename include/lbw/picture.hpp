// SPDX-License-Identifier: MIT
// Images and silhouettes.
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
  std::vector<std::uint8_t> pixels;  ///< 3 bytes per pixel, rows from top to bottom

  /// An image of one colour.
  [[nodiscard]] static RgbImage filled(Index width, Index height,
                                       std::array<std::uint8_t, 3> colour);
};

/// Reads a PNG as grey values. Transparent pixels are blended with white.
/// @throws IoError  if it is not a PNG, is truncated or corrupt, exceeds 16384 x 16384, or has more
///                  than 2^26 pixels and more than 1000 for each byte of the file
[[nodiscard]] GrayImage read_png(const std::filesystem::path& path);

/// Writes a PNG. The write is atomic: an existing file is kept until the new one is complete.
void write_png(const std::filesystem::path& path, const GrayImage& image);
void write_png(const std::filesystem::path& path, const RgbImage& image);

/// Draws n points uniformly from the dark pixels (grey below 128) of an image: x to the right, y
/// downwards, in units of the longer side, with the image centred in the unit square. The result
/// depends only on the image and the seed.
/// @throws InvalidArgument  if no pixel is dark, or n_points < 1
[[nodiscard]] RowMatrix silhouette_points(const GrayImage& image, Index n_points,
                                          std::uint64_t seed);

struct DensityOptions {
  Index size = 200;        ///< side length in pixels of the square image of the unit square
  double bandwidth = 2.0;  ///< standard deviation of the Gaussian kernel, in pixels
};

/// Estimates the density of points on a square grid with a Gaussian kernel. Points outside the unit
/// square are ignored. Values sum to about 1; row 0 is the top.
/// @param point_weights  empty, or one per point, >= 0
[[nodiscard]] RowMatrix point_density(const MatrixView& points, const Vector& point_weights = {},
                                      const DensityOptions& options = {});

/// Otsu's threshold between dark and light values of an image, from a histogram of 256 bins.
[[nodiscard]] double otsu_threshold(const MatrixView& picture);

}  // namespace lbw
