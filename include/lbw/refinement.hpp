// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/quantile_map.hpp>
#include <vector>

namespace lbw {

/// One step of a sliced refinement: scaled points are turned by a rotation, every coordinate moves
/// towards the barycenter of all groups on its axis, and the points are turned back.
struct RefinementStep {
  Matrix rotation;  ///< (n_features, n_features), orthogonal; its rows are the axes
  /// tables[g][f]: the distribution of group g along axis f before the step.
  std::vector<std::vector<QuantileTable>> tables;
  /// One per group, from 0 to 1: the fraction of the group's difference from all samples that is
  /// attributed to sampling noise and left alone. Empty: 0, as in files of earlier versions.
  std::vector<double> shrinkage = {};
};

/// What brings groups that were carried to a barycenter closer to each other than mixtures of
/// Gaussians can.
struct Refinement {
  std::vector<double> barycentric_weights;  ///< what it was fitted for; one per group
  std::vector<RefinementStep> steps;        ///< none: no refinement
  /// (n_features), > 0: features are divided by these before they are rotated. Empty: 1.
  Vector scales = {};
  /// Number of samples behind the tables of each group (weights count copies), >= 0. Empty where
  /// the steps have no shrinkage.
  std::vector<double> sample_counts = {};

  [[nodiscard]] bool empty() const { return steps.empty(); }
};

/// A step as one group takes it.
struct SlicedStep {
  Matrix rotation;
  std::vector<QuantileMap> axes;  ///< one per feature
  Vector scales = {};             ///< as in Refinement
};

}  // namespace lbw
