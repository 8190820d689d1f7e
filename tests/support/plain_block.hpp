// SPDX-License-Identifier: MIT
// A block of samples, feature by feature, so that loops over points vectorize. Values are copied,
// so results do not depend on the alignment or precision of the input.
#pragma once

#include <array>
#include <lbw/matrix.hpp>
#include <vector>

#include "device/tables.hpp"

namespace lbw {

inline constexpr Index block_size = 256;
/// One number per point of a block.
using Lane = std::array<double, block_size>;

/// Sum over a lane in an order that depends only on block_size.
[[nodiscard]] double lane_sum(const Lane& values);
/// Sum of the products of two lanes, in the same order.
[[nodiscard]] double lane_dot(const Lane& left, const Lane& right);

struct SampleBlock {
  Index first = 0;
  Index count = 0;             ///< further points are 0 with weight 0
  std::vector<Lane> features;  ///< (n_features)
  Lane weights{};

  explicit SampleBlock(Index n_features) : features(static_cast<std::size_t>(n_features)) {}

  /// Reads samples [begin, begin + block_size), or up to end.
  void load(const WeightedSamples& samples, Index begin, Index end);

  /// features - center, for all points.
  void subtract(const Eigen::Ref<const Vector>& center, std::vector<Lane>& differences) const;

  /// Squared distances of all points to a center.
  void squared_distances(const Eigen::Ref<const Vector>& center, Lane& out) const;
};

}  // namespace lbw
