// SPDX-License-Identifier: MIT
// From carried points to pictures.
#pragma once

#include <array>
#include <lbw/picture.hpp>
#include <lbw/transport.hpp>
#include <vector>

namespace lbw::cli {

/// Silhouettes as groups of points and the model fitted to them.
struct Morph {
  std::vector<RowMatrix> points;  ///< one per group
  TransportModel model;
};

struct PictureOptions {
  Index cell = 200;  ///< pixels of a side of one silhouette
  /// Standard deviation of the kernel that smooths the points, in hundredths of the side.
  double bandwidth = 2.0;
  Execution execution = {};
};

/// One silhouette in the colour that its weights blend: the points of every group carried to the
/// barycenter, smoothed to a density and cut at Otsu's threshold.
[[nodiscard]] RgbImage silhouette_at(const Morph& morph, const std::vector<double>& weights,
                                     const PictureOptions& options);

/// A silhouette and its place in a picture of many.
struct Cell {
  Index x = 0;  ///< of the left edge, pixels
  Index y = 0;  ///< of the top edge
  std::vector<double> weights;
};

/// Two groups: a strip of `grid` cells; three: the triangle with `grid` cells on a side, the first
/// group on top, the second at the lower left.
[[nodiscard]] std::vector<Cell> grid_cells(Index n_groups, int grid, Index cell);

/// Weights of each frame: from the first group to the second for two; around all groups and back
/// towards the start for more, so that the last frame leads into the first.
[[nodiscard]] std::vector<std::vector<double>> frame_weights(Index n_groups, int n_frames);

void paste(const RgbImage& cell, Index x, Index y, RgbImage& picture);

}  // namespace lbw::cli
