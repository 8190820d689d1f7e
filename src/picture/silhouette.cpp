// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <lbw/picture.hpp>
#include <lbw/types.hpp>
#include <vector>

#include "core/indexing.hpp"
#include "core/message.hpp"

namespace lbw {

namespace {

constexpr std::uint8_t first_light_value = 128;
constexpr int n_bins = 256;

/// Dark pixels in the order of rows, numbered from 0. A large dark picture has millions of them, so
/// they are counted in blocks and not listed.
class DarkPixels {
 public:
  explicit DarkPixels(const GrayImage& image) : image_(image) {
    Index count = 0;
    for (Index first = 0; first < image.size(); first += block_size) {
      const Index last = std::min(first + block_size, image.size());
      count += std::count_if(image.data() + first, image.data() + last, is_dark);
      ends_.push_back(count);
    }
  }

  [[nodiscard]] Index count() const { return ends_.empty() ? 0 : ends_.back(); }

  /// The place among all pixels of the dark pixel with this number, below count().
  [[nodiscard]] Index place(Index number) const {
    const Index block = std::upper_bound(ends_.begin(), ends_.end(), number) - ends_.begin();
    Index left = number - (block == 0 ? 0 : at(ends_, block - 1));
    Index place = block * block_size;
    while (!is_dark(image_.data()[place]) || left-- > 0) ++place;
    return place;
  }

 private:
  static bool is_dark(std::uint8_t value) { return value < first_light_value; }

  static constexpr Index block_size = 1024;  // pixels, consecutive in memory

  const GrayImage& image_;
  std::vector<Index> ends_;  // the number of dark pixels up to the end of each block
};

using Histogram = std::array<std::int64_t, n_bins>;

Histogram histogram_of(const Eigen::Ref<const RowMatrix>& picture, double least, double range) {
  Histogram counts{};
  for (Index row = 0; row < picture.rows(); ++row) {
    for (Index column = 0; column < picture.cols(); ++column) {
      const double scaled = (picture(row, column) - least) / range * n_bins;
      ++counts[static_cast<std::size_t>(std::min(scaled, n_bins - 1.0))];
    }
  }
  return counts;
}

/// The splits (numbers of bins below) with the largest variance between the two classes.
struct BestSplits {
  int first = 1;
  int last = 1;
};

// Up to a factor, the between-class variance is (N s - w S)^2 / (w (N - w)), where w is the number
// of pixels and s the bin sum below the split, and N and S those of all. Empty bins do not change w
// and s, so ties are exact.
BestSplits best_splits(const Histogram& counts) {
  double n_pixels = 0.0;
  double sum = 0.0;
  for (std::size_t bin = 0; bin < n_bins; ++bin) {
    n_pixels += static_cast<double>(counts[bin]);
    sum += static_cast<double>(counts[bin]) * static_cast<double>(bin);
  }
  BestSplits best;
  double best_variance = -1.0;
  double pixels_below = 0.0;
  double sum_below = 0.0;
  for (int split = 1; split < n_bins; ++split) {
    const auto bin = to_size(split - 1);
    pixels_below += static_cast<double>(counts[bin]);
    sum_below += static_cast<double>(counts[bin]) * static_cast<double>(bin);
    const double difference = n_pixels * sum_below - pixels_below * sum;
    const double variance = difference * difference / (pixels_below * (n_pixels - pixels_below));
    if (variance > best_variance) best.first = split;
    if (variance >= best_variance) best.last = split;
    best_variance = std::max(best_variance, variance);
  }
  return best;
}

}  // namespace

RowMatrix silhouette_points(const GrayImage& image, Index n_points, std::uint64_t seed) {
  require(n_points >= 1, "silhouette_points: n_points is ", n_points, ", expected >= 1");
  const DarkPixels dark(image);
  require(dark.count() > 0, "silhouette_points: image has no pixel darker than 128 among ",
          image.size(), "; is it inverted?");
  const double width = static_cast<double>(image.cols());
  const double height = static_cast<double>(image.rows());
  const double longer = std::max(width, height);
  Random random(seed);
  RowMatrix points(n_points, 2);
  for (Index i = 0; i < n_points; ++i) {
    const Index pixel = dark.place(static_cast<Index>(random.below(to_size(dark.count()))));
    // one draw per statement, because the evaluation order of operands is unspecified
    const Index row = pixel / image.cols();
    const double x = static_cast<double>(pixel % image.cols()) + random.uniform();
    const double y = static_cast<double>(row) + random.uniform();
    points(i, 0) = 0.5 + (x - width / 2) / longer;
    points(i, 1) = 0.5 + (y - height / 2) / longer;
  }
  return points;
}

double otsu_threshold(const MatrixView& view) {
  const Eigen::Ref<const RowMatrix> picture = view.values();
  check_samples(SampleView(picture), "otsu_threshold", "picture", {});
  const double least = picture.minCoeff();
  const double range = picture.maxCoeff() - least;
  require(range > 0.0, "otsu_threshold: picture has only the value ", least,
          ", expected two or more values");
  const BestSplits best = best_splits(histogram_of(picture, least, range));
  return least + range * (best.first + best.last) / (2.0 * n_bins);
}

}  // namespace lbw
