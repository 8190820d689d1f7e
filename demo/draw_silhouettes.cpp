// SPDX-License-Identifier: MIT
// Draws silhouettes from outlines. An outline is a text file with one point per line as `x y`,
// where 0 0 is the upper left and 100 100 the lower right corner. `x y corner` marks a sharp bend,
// and # starts a comment. A smooth closed curve connects the points; an empty line starts another
// curve.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <lbw/picture.hpp>
#include <lbw/types.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "demo/demo.hpp"

namespace lbw::demo {

namespace {

constexpr Index picture_size = 400;   // side length in pixels
constexpr Index samples_a_side = 4;   // per pixel, for antialiasing
constexpr int pieces_a_segment = 16;  // line segments between two points of an outline
constexpr double sample_step = 100.0 / (picture_size * samples_a_side);  // in units of outlines

struct Point {
  double x = 0.0;
  double y = 0.0;
  bool is_corner = false;
};

using Curve = std::vector<Point>;

std::vector<Curve> read_outline(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<Curve> curves(1);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    Point point;
    std::string kind;
    if (words >> point.x >> point.y) {
      point.is_corner = static_cast<bool>(words >> kind) && kind == "corner";
      curves.back().push_back(point);
    } else if (!curves.back().empty()) {
      curves.emplace_back();
    }
  }
  if (curves.back().empty()) curves.pop_back();
  if (curves.empty()) throw IoError(path.string() + ": contains no outline");
  return curves;
}

/// The tangent of length `length` at a point, parallel to the line from its predecessor to its
/// successor; zero at a corner.
Point tangent(const Point& before, const Point& at, const Point& after, double length) {
  if (at.is_corner) return {};
  const double x = after.x - before.x;
  const double y = after.y - before.y;
  const double scale = length / std::max(std::hypot(x, y), 1e-9);
  return {scale * x, scale * y};
}

/// A polygon along cubic Hermite segments through the points.
Curve smooth(const Curve& curve) {
  Curve polygon;
  const std::size_t n = curve.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Point& a = curve[i];
    const Point& b = curve[(i + 1) % n];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const Point from = tangent(curve[(i + n - 1) % n], a, b, length);
    const Point to = tangent(a, b, curve[(i + 2) % n], length);
    for (int piece = 0; piece < pieces_a_segment; ++piece) {
      const double t = static_cast<double>(piece) / pieces_a_segment;
      const double end = t * t * (3.0 - 2.0 * t);
      const double out = t * (1.0 - t) * (1.0 - t);
      const double in = -t * t * (1.0 - t);
      polygon.push_back({(1.0 - end) * a.x + end * b.x + out * from.x + in * to.x,
                         (1.0 - end) * a.y + end * b.y + out * from.y + in * to.y});
    }
  }
  return polygon;
}

struct Crossing {
  double x = 0.0;
  int turn = 0;  // +1 if the curve goes down, -1 if it goes up
};

/// The crossings of the curves with a horizontal line, from left to right.
std::vector<Crossing> crossings(const std::vector<Curve>& polygons, double y) {
  std::vector<Crossing> found;
  for (const Curve& polygon : polygons) {
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Point& a = polygon[i];
      const Point& b = polygon[(i + 1) % polygon.size()];
      if ((a.y <= y) == (b.y <= y)) continue;
      found.push_back({a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x), b.y > a.y ? 1 : -1});
    }
  }
  std::ranges::sort(found, {}, &Crossing::x);
  return found;
}

/// Counts the samples inside the curves on one line (nonzero winding number).
void count_line(const std::vector<Crossing>& line, std::vector<int>& inside) {
  std::size_t next = 0;
  int turns = 0;
  for (std::size_t sample = 0; sample < inside.size() * samples_a_side; ++sample) {
    const double x = (static_cast<double>(sample) + 0.5) * sample_step;
    for (; next < line.size() && line[next].x <= x; ++next) turns += line[next].turn;
    if (turns != 0) ++inside[sample / samples_a_side];
  }
}

GrayImage fill(const std::vector<Curve>& curves) {
  std::vector<Curve> polygons;
  for (const Curve& curve : curves) polygons.push_back(smooth(curve));
  GrayImage image(picture_size, picture_size);
  for (Index row = 0; row < picture_size; ++row) {
    std::vector<int> inside(picture_size, 0);
    for (Index i = 0; i < samples_a_side; ++i) {
      const double y = (static_cast<double>(row * samples_a_side + i) + 0.5) * sample_step;
      count_line(crossings(polygons, y), inside);
    }
    for (Index column = 0; column < picture_size; ++column) {
      const int dark = inside[static_cast<std::size_t>(column)];
      image(row, column) =
          static_cast<std::uint8_t>(255 - 255 * dark / (samples_a_side * samples_a_side));
    }
  }
  return image;
}

}  // namespace

void draw_silhouettes(const std::filesystem::path& outlines, const std::filesystem::path& output) {
  for (const auto& entry : std::filesystem::directory_iterator(outlines)) {
    if (entry.path().extension() != ".txt") continue;
    const std::filesystem::path name = entry.path().stem().string() + ".png";
    write_png(output / name, fill(read_outline(entry.path())));
  }
}

}  // namespace lbw::demo
