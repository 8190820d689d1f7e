// SPDX-License-Identifier: MIT
// Drawing of transported points.
#pragma once

#include <array>
#include <lbw/picture.hpp>
#include <lbw/transport.hpp>
#include <vector>

namespace lbw::cli {

/// Silhouettes as groups of points, and the fitted model.
struct Morph {
  std::vector<RowMatrix> points;  ///< one per group
  TransportModel model;
};

struct PictureOptions {
  Index cell = 200;  ///< side length of one silhouette, in pixels
  /// Standard deviation of the kernel that smooths the points, in hundredths of the side.
  double bandwidth = 2.0;
  Execution execution = {};
};

/// One silhouette, coloured by its weights: the points of every group are transported to the
/// barycenter, smoothed to a density and cut at Otsu's threshold.
[[nodiscard]] RgbImage silhouette_at(const Morph& morph, const std::vector<double>& weights,
                                     const PictureOptions& options);

/// A silhouette and its position in a grid.
struct Cell {
  Index x = 0;  ///< left edge, in pixels
  Index y = 0;  ///< top edge
  std::vector<double> weights;
};

/// For two groups, a strip of `grid` cells. For three, a triangle with `grid` cells per side, the
/// first group at the top, the second at the lower left.
[[nodiscard]] std::vector<Cell> grid_cells(Index n_groups, int grid, Index cell);

/// The weights of each frame. Two groups: from the first to the second. More: around all groups and
/// back to the start, so that the frames loop.
[[nodiscard]] std::vector<std::vector<double>> frame_weights(Index n_groups, int n_frames);

void paste(const RgbImage& cell, Index x, Index y, RgbImage& picture);

}  // namespace lbw::cli
