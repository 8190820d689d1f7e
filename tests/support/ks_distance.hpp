// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <lbw/matrix.hpp>
#include <vector>

namespace lbw {

/// The Kolmogorov-Smirnov distance of two samples: the largest difference of their empirical
/// distribution functions.
inline double ks_distance(std::vector<double> first, std::vector<double> second) {
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  std::vector<double> all = first;
  all.insert(all.end(), second.begin(), second.end());
  const auto share = [](const std::vector<double>& sorted, double value) {
    const auto count = std::upper_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
    return static_cast<double>(count) / static_cast<double>(sorted.size());
  };
  double distance = 0.0;
  for (const double value : all) {
    distance = std::max(distance, std::abs(share(first, value) - share(second, value)));
  }
  return distance;
}

/// The largest Kolmogorov-Smirnov distance along the axes.
inline double ks_distance_along_axes(const RowMatrix& first, const RowMatrix& second) {
  double distance = 0.0;
  for (Index axis = 0; axis < first.cols(); ++axis) {
    const Vector a = first.col(axis);
    const Vector b = second.col(axis);
    distance = std::max(distance, ks_distance({a.begin(), a.end()}, {b.begin(), b.end()}));
  }
  return distance;
}

}  // namespace lbw
