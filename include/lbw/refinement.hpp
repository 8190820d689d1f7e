// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/quantile_map.hpp>
#include <vector>

namespace lbw {

/// One step of a sliced refinement: points are turned by a rotation, every coordinate goes to the
/// middle of all groups on its axis, and the points are turned back.
struct RefinementStep {
  Matrix rotation;  ///< (n_features, n_features), orthogonal; its rows are the axes
  /// tables[g][f]: the distribution of group g along axis f before the step.
  std::vector<std::vector<QuantileTable>> tables;
};

/// What brings groups that were carried to a barycenter closer to each other than mixtures of
/// Gaussians can.
struct Refinement {
  std::vector<double> barycentric_weights;  ///< what it was fitted for; one per group
  std::vector<RefinementStep> steps;        ///< none: no refinement

  [[nodiscard]] bool empty() const { return steps.empty(); }
};

/// A step as one group takes it.
struct SlicedStep {
  Matrix rotation;
  std::vector<QuantileMap> axes;  ///< one per feature
};

}  // namespace lbw
