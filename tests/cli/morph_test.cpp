// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <lbw/picture.hpp>

#include "cli/workbench.hpp"

namespace lbw {
namespace {

constexpr Index cell_size = 100;  // as large as the shapes, so that pixels can be compared

/// The IoU of a silhouette in a picture with the expected shape.
double overlap(const GrayImage& picture, Index x, Index y, const GrayImage& shape) {
  const GrayImage part = picture.block(y, x, shape.rows(), shape.cols());
  // halfway between the colour of the shape and white
  const int edge = (255 + part.minCoeff()) / 2;
  Index common = 0;
  Index all = 0;
  for (Index i = 0; i < part.size(); ++i) {
    const bool is_body = part.data()[i] < edge;
    const bool is_shape = shape.data()[i] < 128;
    common += is_body && is_shape;
    all += is_body || is_shape;
  }
  return static_cast<double>(common) / static_cast<double>(all);
}

double overlap(const Workbench& bench, const std::string& picture, Index x, Index y,
               const std::string& shape) {
  return overlap(read_png(bench / picture), x, y, read_png(bench / shape));
}

/// Runs morph with fast settings.
void morph(const Workbench& bench, std::vector<std::string> words) {
  words.insert(words.begin(), "morph");
  words.insert(words.end(), {"-k", "12", "--cell", std::to_string(cell_size)});
  const ProgramResult result = bench.lbw(words);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("12 components each, fitted in "), std::string::npos) << result.err;
}

// 10000 points smoothed over 2 pixels blur the corners of a shape and add noise to its edge. The
// bars, which have the longest edge, reach 0.95.
constexpr double least_overlap = 0.95;

TEST(CliMorph, ThreeShapesMakeATriangleWithTheShapesAtItsCorners) {
  const Workbench bench;
  bench.draw_shapes();
  morph(bench, {"disc.png", "bars.png", "ring.png", "--grid", "3", "-o", "out.png"});
  const GrayImage picture = read_png(bench / "out.png");
  EXPECT_EQ(picture.rows(), 3 * cell_size);
  EXPECT_EQ(picture.cols(), 3 * cell_size);
  EXPECT_GT(overlap(bench, "out.png", cell_size, 0, "disc.png"), least_overlap);
  EXPECT_GT(overlap(bench, "out.png", 0, 2 * cell_size, "bars.png"), least_overlap);
  EXPECT_GT(overlap(bench, "out.png", 2 * cell_size, 2 * cell_size, "ring.png"), least_overlap);
  // the place beside the top is empty
  EXPECT_EQ(picture.topLeftCorner(cell_size, cell_size).minCoeff(), 255);
  // the shape between the bars and the ring differs from both
  const double middle = overlap(bench, "out.png", cell_size, 2 * cell_size, "ring.png");
  EXPECT_LT(middle, 0.9);
  EXPECT_GT(middle, 0.2);
}

TEST(CliMorph, TwoShapesMakeAStrip) {
  const Workbench bench;
  bench.draw_shapes();
  morph(bench, {"disc.png", "bars.png", "--grid", "4", "-o", "out.png"});
  const GrayImage picture = read_png(bench / "out.png");
  EXPECT_EQ(picture.rows(), cell_size);
  EXPECT_EQ(picture.cols(), 4 * cell_size);
  EXPECT_GT(overlap(bench, "out.png", 0, 0, "disc.png"), least_overlap);
  EXPECT_GT(overlap(bench, "out.png", 3 * cell_size, 0, "bars.png"), least_overlap);
}

TEST(CliMorph, FramesOfTwoShapesEndAtTheSecond) {
  const Workbench bench;
  bench.draw_shapes();
  morph(bench, {"disc.png", "bars.png", "--frames", "3", "-o", "film.png"});
  EXPECT_FALSE(bench.names().contains("film.png"));
  EXPECT_FALSE(bench.names().contains("film-0003.png"));
  EXPECT_GT(overlap(bench, "film-0000.png", 0, 0, "disc.png"), least_overlap);
  EXPECT_LT(overlap(bench, "film-0001.png", 0, 0, "disc.png"), least_overlap);
  EXPECT_GT(overlap(bench, "film-0002.png", 0, 0, "bars.png"), least_overlap);
}

TEST(CliMorph, FramesOfMoreShapesReturnToTheFirst) {
  const Workbench bench;
  bench.draw_shapes();
  morph(bench,
        {"disc.png", "bars.png", "ring.png", "last=disc.png", "--frames", "8", "-o", "film.png"});
  EXPECT_GT(overlap(bench, "film-0000.png", 0, 0, "disc.png"), least_overlap);
  EXPECT_GT(overlap(bench, "film-0002.png", 0, 0, "bars.png"), least_overlap);
  EXPECT_GT(overlap(bench, "film-0004.png", 0, 0, "ring.png"), least_overlap);
  EXPECT_GT(overlap(bench, "film-0006.png", 0, 0, "disc.png"), least_overlap);
  // from the last disc to the first, which is equal
  EXPECT_GT(overlap(bench, "film-0007.png", 0, 0, "disc.png"), 0.9);
  EXPECT_FALSE(bench.names().contains("film-0008.png"));
}

TEST(CliMorph, JsonNamesThePictures) {
  const Workbench bench;
  bench.draw_shapes();
  const nlohmann::json json =
      bench.lbw_json({"morph", "disc.png", "b=bars.png", "-k", "4", "--points", "2000", "--cell",
                      "40", "--frames", "2", "-o", "film.png", "--json"});
  EXPECT_EQ(json.at("pictures"), (std::vector<std::string>{"film-0000.png", "film-0001.png"}));
  EXPECT_EQ(json.at("groups")[1].at("name"), "b");
  EXPECT_EQ(json.at("groups")[1].at("n_samples"), 2000);
}

TEST(CliMorph, RunningOutOfStepsDrawsAndExitsWithThree) {
  const Workbench bench;
  bench.draw_shapes();
  const ProgramResult result =
      bench.lbw({"morph", "disc.png", "bars.png", "-k", "8", "--points", "2000", "--tolerance", "0",
                 "--max-iterations", "2", "-o", "out.png"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("lbw morph: warning: group 'disc' did not converge in 2 iterations; "
                            "increase --max-iterations (2) or --tolerance (0)\n"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(read_png(bench / "out.png").rows(), 200);
}

}  // namespace
}  // namespace lbw
