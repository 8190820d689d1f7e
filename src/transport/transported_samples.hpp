// SPDX-License-Identifier: MIT
// Samples on their way through the steps of a refinement, and how they spread.
#pragma once

#include <lbw/matrix.hpp>
#include <lbw/types.hpp>
#include <span>
#include <vector>

#include "core/sample_count.hpp"

namespace lbw {

/// Transported samples of a group and their weights.
struct Transported {
  RowMatrix points;    ///< (n_features, n_points) and columns of padding for Device::rotate
  Index n_points = 0;  ///< 0 for a kept group
  std::vector<double> weights;  ///< empty if all weights are equal
  RowMatrix along;              ///< coordinates of the points along the axes of a step

  /// The number of samples; 0 for a kept group.
  [[nodiscard]] double count() const {
    return weights.empty() ? static_cast<double>(n_points) : sample_count(weights).count;
  }
};

/// Which features vary between samples, and the scales of all features: their standard deviations
/// about the means of the groups, those of the means themselves where every group is constant, and
/// 1 where all samples are equal. Distances between the groups do not count, because the first step
/// of a refinement, along the features, removes them.
struct Spread {
  Vector scales;
  std::vector<bool> varies;
};

/// Values more than twenty deviations from the mean of their group do not count, as long as others
/// vary: along rotated axes, a single value of 1e6 would hide the differences between all others.
[[nodiscard]] Spread measured_spread(const std::vector<Transported>& groups,
                                     std::span<const double> sample_counts, Index n_features,
                                     const Execution& execution);

/// Whether the distances along some feature are dominated by a few samples.
[[nodiscard]] bool have_heavy_tails(const std::vector<Transported>& groups,
                                    std::span<const double> sample_counts, Index n_features);

}  // namespace lbw
