// SPDX-License-Identifier: MIT
#include "cli/morph_picture.hpp"

#include <algorithm>
#include <cmath>
#include <lbw/picture.hpp>

namespace lbw::cli {

namespace {

using Colour = std::array<double, 3>;

// one per corner, repeated if there are more groups
constexpr std::array<Colour, 6> corner_colours = {
    {{214, 73, 60}, {38, 99, 176}, {232, 165, 36}, {42, 139, 104}, {128, 78, 160}, {90, 90, 90}}};

Colour blended_colour(const std::vector<double>& weights) {
  Colour colour = {0, 0, 0};
  for (std::size_t group = 0; group < weights.size(); ++group) {
    const Colour& corner = corner_colours[group % corner_colours.size()];
    for (std::size_t i = 0; i < 3; ++i) colour[i] += weights[group] * corner[i];
  }
  return colour;
}

struct WeightedPoints {
  RowMatrix points;
  Vector weights;
};

/// The points of every group of positive weight, transported to the barycenter. The total weight of
/// group g is lambda_g.
WeightedPoints transported_points(const Morph& morph, const std::vector<double>& weights,
                                  const Execution& execution) {
  WeightedPoints all;
  for (std::size_t group = 0; group < weights.size(); ++group) {
    if (weights[group] == 0.0) continue;
    const RowMatrix transported = transport(
        map_to_barycenter(morph.model, morph.model.group_names[group], weights, 1.0, execution),
        morph.points[group], execution);
    const Index before = all.points.rows();
    all.points.conservativeResize(before + transported.rows(), transported.cols());
    all.points.bottomRows(transported.rows()) = transported;
    all.weights.conservativeResize(before + transported.rows());
    all.weights.tail(transported.rows())
        .setConstant(weights[group] / static_cast<double>(transported.rows()));
  }
  return all;
}

/// The fraction of a pixel inside the shape, from its signed distance to the level line in pixels,
/// (density - threshold) / |gradient|: an edge one pixel wide.
double coverage(const RowMatrix& density, Index row, Index column, double threshold) {
  const Index last = density.rows() - 1;
  const double across =
      density(row, std::min(column + 1, last)) - density(row, std::max<Index>(column - 1, 0));
  const double down =
      density(std::min(row + 1, last), column) - density(std::max<Index>(row - 1, 0), column);
  const double slope = std::max(0.5 * std::hypot(across, down), 1e-12 * threshold);
  return std::clamp((density(row, column) - threshold) / slope + 0.5, 0.0, 1.0);
}

RgbImage cut_out(const RowMatrix& density, double threshold, const Colour& colour) {
  RgbImage image = RgbImage::filled(density.cols(), density.rows(), {255, 255, 255});
  auto byte = image.pixels.begin();
  for (Index row = 0; row < density.rows(); ++row) {
    for (Index column = 0; column < density.cols(); ++column) {
      const double inside = coverage(density, row, column, threshold);
      for (const double part : colour) {
        *byte++ = static_cast<std::uint8_t>(std::lround(255.0 + inside * (part - 255.0)));
      }
    }
  }
  return image;
}

}  // namespace

RgbImage silhouette_at(const Morph& morph, const std::vector<double>& weights,
                       const PictureOptions& options) {
  const WeightedPoints transported = transported_points(morph, weights, options.execution);
  const RowMatrix density =
      point_density(transported.points, transported.weights,
                    {.size = options.cell,
                     .bandwidth = 0.01 * options.bandwidth * static_cast<double>(options.cell)});
  return cut_out(density, otsu_threshold(density), blended_colour(weights));
}

std::vector<Cell> grid_cells(Index n_groups, int grid, Index cell) {
  std::vector<Cell> cells;
  const double steps = grid - 1;
  if (n_groups == 2) {
    for (int i = 0; i < grid; ++i) {
      cells.push_back({i * cell, 0, {(steps - i) / steps, i / steps}});
    }
    return cells;
  }
  for (int row = 0; row < grid; ++row) {
    const Index indent = (grid - 1 - row) * cell / 2;
    for (int i = 0; i <= row; ++i) {
      cells.push_back(
          {indent + i * cell, row * cell, {(steps - row) / steps, (row - i) / steps, i / steps}});
    }
  }
  return cells;
}

std::vector<std::vector<double>> frame_weights(Index n_groups, int n_frames) {
  std::vector<std::vector<double>> frames;
  const bool is_loop = n_groups > 2;
  const double sides = is_loop ? static_cast<double>(n_groups) : 1.0;
  const int steps = is_loop ? n_frames : n_frames - 1;
  for (int frame = 0; frame < n_frames; ++frame) {
    const double at = sides * frame / steps;
    const auto side = std::min(static_cast<Index>(at), static_cast<Index>(sides) - 1);
    const double along = at - static_cast<double>(side);
    std::vector<double> weights(static_cast<std::size_t>(n_groups), 0.0);
    weights[static_cast<std::size_t>(side)] = 1.0 - along;
    weights[static_cast<std::size_t>((side + 1) % n_groups)] += along;
    frames.push_back(std::move(weights));
  }
  return frames;
}

void paste(const RgbImage& cell, Index x, Index y, RgbImage& picture) {
  for (Index row = 0; row < cell.height; ++row) {
    std::copy_n(cell.pixels.begin() + 3 * row * cell.width, 3 * cell.width,
                picture.pixels.begin() + 3 * ((y + row) * picture.width + x));
  }
}

}  // namespace lbw::cli
