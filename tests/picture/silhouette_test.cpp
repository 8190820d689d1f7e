// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/picture.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "support/expect_error.hpp"
#include "support/limited_memory.hpp"

namespace lbw {
namespace {

// 4 x 2 pixels; the dark ones are (0, 0), (0, 3) and (1, 1). 127 is dark, 128 is light.
GrayImage three_dark_pixels() {
  GrayImage image = GrayImage::Constant(2, 4, 128);
  image(0, 0) = 127;
  image(0, 3) = 0;
  image(1, 1) = 50;
  return image;
}

TEST(SilhouettePoints, LieUniformlyInDarkPixels) {
  constexpr Index n = 30'000;
  const RowMatrix points = silhouette_points(three_dark_pixels(), n, 4);
  Eigen::Array33d counts = Eigen::Array33d::Zero();  // pixel, then third of its width
  double sum_of_heights = 0.0;
  for (Index i = 0; i < n; ++i) {
    // the longer side is 4 pixels and the picture is centred, so a quarter is empty above and below
    const double column = points(i, 0) * 4;
    const double row = points(i, 1) * 4 - 1;
    const bool top = row >= 0 && row < 1;
    const bool dark = (top && column < 1 && column >= 0) || (top && column >= 3 && column < 4) ||
                      (row >= 1 && row < 2 && column >= 1 && column < 2);
    ASSERT_TRUE(dark) << points.row(i);
    const Index pixel = top ? (column < 1 ? 0 : 1) : 2;
    counts(pixel, static_cast<Index>(3 * (column - std::floor(column)))) += 1;
    sum_of_heights += row - std::floor(row);
  }
  // five standard errors of a binomial count of probability 1/9, and of the mean of a uniform
  EXPECT_LT((counts - n / 9.0).abs().maxCoeff(), 5 * std::sqrt(n * 8.0 / 81));
  EXPECT_NEAR(sum_of_heights / n, 0.5, 5 * std::sqrt(1.0 / 12 / n));
}

/// The same points from a list of all dark pixels.
RowMatrix points_of_listed_pixels(const GrayImage& image, Index n_points, std::uint64_t seed) {
  std::vector<std::pair<Index, Index>> dark;  // row and column
  for (Index row = 0; row < image.rows(); ++row) {
    for (Index column = 0; column < image.cols(); ++column) {
      if (image(row, column) < 128) dark.emplace_back(row, column);
    }
  }
  const auto width = static_cast<double>(image.cols());
  const auto height = static_cast<double>(image.rows());
  Random random(seed);
  RowMatrix points(n_points, 2);
  for (Index i = 0; i < n_points; ++i) {
    const auto [row, column] = dark[random.below(dark.size())];
    const double x = static_cast<double>(column) + random.uniform();
    const double y = static_cast<double>(row) + random.uniform();
    points(i, 0) = 0.5 + (x - width / 2) / std::max(width, height);
    points(i, 1) = 0.5 + (y - height / 2) / std::max(width, height);
  }
  return points;
}

TEST(SilhouettePoints, AreThoseOfAListOfAllDarkPixels) {
  Random random(8);
  // one row, one column, and numbers of pixels around powers of two
  for (const auto& [rows, columns] : std::vector<std::pair<Index, Index>>{
           {1, 1}, {1, 5000}, {5000, 1}, {64, 64}, {31, 33}, {25, 41}, {16, 193}}) {
    for (const double share : {0.0, 0.001, 0.5, 1.0}) {
      GrayImage image = GrayImage::Constant(rows, columns, 128);
      for (Index i = 0; i < image.size(); ++i) {
        if (random.uniform() < share) image.data()[i] = 127;
      }
      image.data()[image.size() - 1] = 0;
      // the formula is the same, so equal draws give equal bits
      EXPECT_EQ(silhouette_points(image, 500, 9), points_of_listed_pixels(image, 500, 9))
          << rows << " x " << columns << ", " << share;
    }
  }
}

TEST(SilhouettePoints, NeedLittleMemoryBesidesThePicture) {
  if (!can_limit_memory) GTEST_SKIP() << "the address space cannot be limited here";
  const GrayImage image = GrayImage::Constant(4096, 4096, 0);
  constexpr std::size_t half_a_byte_per_pixel = std::size_t{4096} * 2048;
  EXPECT_EQ(outcome_within(half_a_byte_per_pixel, [&] { (void)silhouette_points(image, 100, 1); }),
            "done");
}

TEST(SilhouettePoints, AreAFunctionOfPictureAndSeed) {
  const GrayImage image = three_dark_pixels();
  EXPECT_EQ(silhouette_points(image, 10, 1), silhouette_points(image, 10, 1));
  EXPECT_EQ(silhouette_points(image, 10, 1).topRows(4), silhouette_points(image, 4, 1));
  EXPECT_NE(silhouette_points(image, 10, 1), silhouette_points(image, 10, 2));
}

TEST(SilhouettePoints, RefusesPicturesWithoutDarkness) {
  expect_error<InvalidArgument>(
      [] { (void)silhouette_points(GrayImage::Constant(2, 3, 128), 5, 0); },
      "silhouette_points: image has no pixel darker than 128 among 6; is it inverted?");
  expect_error<InvalidArgument>([] { (void)silhouette_points(three_dark_pixels(), 0, 0); },
                                "silhouette_points: n_points is 0, expected >= 1");
}

// Otsu's definition by brute force: the split of the 256 bins with the smallest variance
// within the two classes, computed for each value separately. Empty bins cause ties, so only the
// minimum is compared, and the threshold is in the middle of the ties.
double brute_force_threshold(const RowMatrix& picture) {
  const double least = picture.minCoeff();
  const double range = picture.maxCoeff() - least;
  const auto within = [&](int split) {
    double total = 0.0;
    for (const bool upper : {false, true}) {
      double n = 0.0;
      double sum = 0.0;
      std::vector<double> bins;
      for (Index i = 0; i < picture.size(); ++i) {
        const double bin = std::min(255.0, std::floor((picture.data()[i] - least) / range * 256));
        if ((bin >= split) != upper) continue;
        bins.push_back(bin);
        sum += bin;
        n += 1;
      }
      for (const double bin : bins) total += (bin - sum / n) * (bin - sum / n);
    }
    return total;
  };
  std::vector<double> criterion;
  for (int split = 1; split < 256; ++split) criterion.push_back(within(split));
  const double best = *std::min_element(criterion.begin(), criterion.end());
  int first = 0;
  int last = 0;
  for (int split = 1; split < 256; ++split) {
    // equal classes give equal sums up to rounding
    if (criterion[static_cast<std::size_t>(split - 1)] > best * (1 + 1e-12) + 1e-12) continue;
    if (first == 0) first = split;
    last = split;
  }
  return least + range * 0.5 * (first + last) / 256;
}

TEST(OtsuThreshold, IsTheSplitOfItsDefinition) {
  Random random(6);
  for (int trial = 0; trial < 20; ++trial) {
    RowMatrix picture(8, 9);
    const double share = 0.2 + 0.6 * random.uniform();
    for (Index i = 0; i < picture.size(); ++i) {
      picture.data()[i] = (random.uniform() < share ? -3.0 : 2.0) + random.normal();
    }
    EXPECT_NEAR(otsu_threshold(picture), brute_force_threshold(picture), 1e-12);
  }
}

TEST(OtsuThreshold, SeparatesTwoValuesInTheMiddle) {
  EXPECT_EQ(otsu_threshold(RowMatrix{{0, 0, 0, 1}}), 0.5);
  EXPECT_EQ(otsu_threshold(RowMatrix{{-4}, {4}}), 0.0);
}

TEST(OtsuThreshold, MovesWithThePicture) {
  Random random(7);
  RowMatrix picture(10, 10);
  for (Index i = 0; i < picture.size(); ++i) picture.data()[i] = random.uniform();
  // powers of two scale without rounding
  EXPECT_EQ(otsu_threshold(8.0 * picture), 8.0 * otsu_threshold(picture));
}

TEST(OtsuThreshold, RefusesPicturesWithOneValue) {
  expect_error<InvalidArgument>(
      [] { (void)otsu_threshold(RowMatrix::Constant(2, 2, 3.5)); },
      "otsu_threshold: picture has only the value 3.5, expected two or more values");
  expect_error<InvalidArgument>([] { (void)otsu_threshold(RowMatrix(0, 3)); },
                                "otsu_threshold: picture has no rows");
  expect_error<InvalidArgument>(
      [] {
        (void)otsu_threshold(RowMatrix{{1, std::numeric_limits<double>::quiet_NaN()}});
      },
      "otsu_threshold: picture contains nan at row 0, column 1 (counted from 0), expected finite "
      "values");
}

}  // namespace
}  // namespace lbw
