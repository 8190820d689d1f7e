// SPDX-License-Identifier: MIT
// Draws transported points in three panels.
#include <algorithm>
#include <array>
#include <cmath>
#include <lbw/io.hpp>
#include <lbw/picture.hpp>

#include "demo/demo.hpp"

namespace lbw::demo {

namespace {

using Colour = std::array<std::uint8_t, 3>;

constexpr Index panel = 420;     // side length in pixels
constexpr double margin = 24.0;  // pixels
constexpr Colour white = {255, 255, 255};
constexpr Colour source_colour = {214, 73, 60};
constexpr Colour target_colour = {38, 99, 176};
constexpr Colour way_colour = {150, 150, 150};
constexpr Index ways_drawn = 150;

/// Maps data to pixels of one panel, with the same scale for both axes and y upwards.
struct Frame {
  Eigen::Vector2d centre;
  double scale = 1.0;

  [[nodiscard]] Eigen::Vector2d operator()(double x, double y) const {
    constexpr double middle = static_cast<double>(panel) / 2.0;
    return {middle + scale * (x - centre.x()), middle - scale * (y - centre.y())};
  }
};

Frame frame_around(const RowMatrix& first, const RowMatrix& second) {
  const Eigen::Vector2d least =
      first.colwise().minCoeff().cwiseMin(second.colwise().minCoeff()).transpose();
  const Eigen::Vector2d most =
      first.colwise().maxCoeff().cwiseMax(second.colwise().maxCoeff()).transpose();
  const double longer = std::max((most - least).maxCoeff(), 1e-9);
  return {(least + most) / 2.0, (static_cast<double>(panel) - 2.0 * margin) / longer};
}

void blend(RgbImage& image, Index x, Index y, const Colour& colour, double share) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  for (std::size_t i = 0; i < 3; ++i) {
    std::uint8_t& byte = image.pixels[static_cast<std::size_t>(3 * (y * image.width + x)) + i];
    byte = static_cast<std::uint8_t>(std::lround(byte + share * (colour[i] - byte)));
  }
}

/// Draws a disc with a soft edge; `centre` is in pixels of the panel that starts at `left`.
void disc(RgbImage& image, Index left, const Eigen::Vector2d& centre, double radius,
          const Colour& colour, double opacity) {
  const auto reach = static_cast<Index>(std::ceil(radius)) + 1;
  const auto x0 = static_cast<Index>(centre.x());
  const auto y0 = static_cast<Index>(centre.y());
  for (Index y = y0 - reach; y <= y0 + reach; ++y) {
    for (Index x = x0 - reach; x <= x0 + reach; ++x) {
      const double away = std::hypot(static_cast<double>(x) + 0.5 - centre.x(),
                                     static_cast<double>(y) + 0.5 - centre.y());
      blend(image, left + x, y, colour, opacity * std::clamp(radius - away + 0.5, 0.0, 1.0));
    }
  }
}

void scatter(RgbImage& image, Index left, const Frame& frame, const RowMatrix& points,
             const Colour& colour) {
  for (const auto& point : points.rowwise()) {
    disc(image, left, frame(point[0], point[1]), 1.8, colour, 0.55);
  }
}

/// Draws lines from some points to their images.
void draw_displacements(RgbImage& image, Index left, const Frame& frame, const RowMatrix& source,
                        const RowMatrix& transported) {
  const Index step = std::max<Index>(1, source.rows() / ways_drawn);
  for (Index row = 0; row < source.rows(); row += step) {
    const Eigen::Vector2d from = frame(source(row, 0), source(row, 1));
    const Eigen::Vector2d to = frame(transported(row, 0), transported(row, 1));
    const int pieces = static_cast<int>((to - from).norm()) + 1;
    for (int i = 0; i <= pieces; ++i) {
      disc(image, left, from + (to - from) * i / pieces, 0.5, way_colour, 0.35);
    }
    disc(image, left, from, 2.2, source_colour, 0.9);
    disc(image, left, to, 2.2, target_colour, 0.9);
  }
}

void divide(RgbImage& image) {
  for (Index y = 0; y < panel; ++y) {
    blend(image, panel, y, way_colour, 0.6);
    blend(image, 2 * panel, y, way_colour, 0.6);
  }
}

}  // namespace

void draw_transported(const std::filesystem::path& source, const std::filesystem::path& transported,
                      const std::filesystem::path& target, const std::filesystem::path& output) {
  const RowMatrix before = read_csv(source).values;
  const RowMatrix after = read_csv(transported).values;
  const RowMatrix goal = read_csv(target).values;
  const Frame frame = frame_around(before, goal);
  const Frame close_frame = frame_around(after, goal);
  RgbImage image = RgbImage::filled(3 * panel, panel, white);
  scatter(image, 0, frame, goal, target_colour);
  scatter(image, 0, frame, before, source_colour);
  draw_displacements(image, panel, frame, before, after);
  scatter(image, 2 * panel, close_frame, goal, target_colour);
  scatter(image, 2 * panel, close_frame, after, source_colour);
  divide(image);
  write_png(output, image);
}

}  // namespace lbw::demo
