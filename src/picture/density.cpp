// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <lbw/picture.hpp>
#include <vector>

#include "core/indexing.hpp"
#include "core/message.hpp"

namespace lbw {

namespace {

constexpr Index largest_size = 16384;
constexpr double kernel_reach = 4.0;  // standard deviations; 6e-5 of the mass lie beyond

void check_arguments(const Eigen::Ref<const RowMatrix>& points, const Vector& point_weights,
                     const DensityOptions& options) {
  check_samples(SampleView(points), "point_density", "points", {});
  require(points.cols() == 2, "point_density: points has ", counted(points.cols(), "column"),
          ", expected 2");
  require(point_weights.size() == 0 || point_weights.size() == points.rows(),
          "point_density: point_weights has ", counted(point_weights.size(), "entry"),
          ", expected ", points.rows());
  for (Index i = 0; i < point_weights.size(); ++i) {
    require(point_weights[i] >= 0.0 && std::isfinite(point_weights[i]),
            "point_density: point_weights[", i, "] is ", point_weights[i],
            ", expected a finite number >= 0");
  }
  require(options.size >= 1 && options.size <= largest_size, "point_density: size is ",
          options.size, ", expected 1 to ", largest_size);
  const double largest_bandwidth = static_cast<double>(options.size);
  require(options.bandwidth > 0.0 && options.bandwidth <= largest_bandwidth,
          "point_density: bandwidth is ", options.bandwidth,
          " pixels, expected > 0 and <= ", options.size, " (size)");
}

bool in_unit_interval(double value) { return value >= 0.0 && value <= 1.0; }

RowMatrix binned(const Eigen::Ref<const RowMatrix>& points, const Vector& point_weights,
                 Index size) {
  RowMatrix counts = RowMatrix::Zero(size, size);
  const auto bin = [size](double value) {  // the upper edge belongs to the last bin
    return std::min(size - 1, static_cast<Index>(value * static_cast<double>(size)));
  };
  double total = 0.0;
  for (Index i = 0; i < points.rows(); ++i) {
    if (!in_unit_interval(points(i, 0)) || !in_unit_interval(points(i, 1))) continue;
    const double weight = point_weights.size() == 0 ? 1.0 : point_weights[i];
    counts(bin(points(i, 1)), bin(points(i, 0))) += weight;
    total += weight;
  }
  require(total > 0.0, "point_density: no point of positive weight lies in the unit square");
  return counts / total;
}

// One half of a symmetric kernel, starting at its centre; the whole kernel sums to 1.
std::vector<double> half_kernel(double bandwidth) {
  std::vector<double> half(static_cast<std::size_t>(std::ceil(kernel_reach * bandwidth)) + 1);
  double total = 0.0;
  for (std::size_t i = 0; i < half.size(); ++i) {
    const double distance = static_cast<double>(i) / bandwidth;
    half[i] = std::exp(-0.5 * distance * distance);
    total += i == 0 ? half[i] : 2.0 * half[i];
  }
  for (double& value : half) value /= total;
  return half;
}

// Blurs along the columns; mass that leaves the image is lost.
RowMatrix blurred_rows(const RowMatrix& picture, const std::vector<double>& half) {
  const Index reach = static_cast<Index>(half.size()) - 1;
  RowMatrix blurred = RowMatrix::Zero(picture.rows(), picture.cols());
  for (Index from = 0; from < picture.rows(); ++from) {
    const Index last = std::min(picture.rows() - 1, from + reach);
    for (Index to = std::max(Index{0}, from - reach); to <= last; ++to) {
      blurred.row(to) += at(half, std::abs(to - from)) * picture.row(from);
    }
  }
  return blurred;
}

}  // namespace

RowMatrix point_density(const MatrixView& view, const Vector& point_weights,
                        const DensityOptions& options) {
  const Eigen::Ref<const RowMatrix> points = view.values();
  check_arguments(points, point_weights, options);
  const std::vector<double> half = half_kernel(options.bandwidth);
  const RowMatrix columns_done = blurred_rows(binned(points, point_weights, options.size), half);
  return blurred_rows(columns_done.transpose(), half).transpose();
}

}  // namespace lbw
