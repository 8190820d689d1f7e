// SPDX-License-Identifier: MIT
// One tree of a boosted classifier, grown by histograms of binned features (Ke et al. 2017,
// "LightGBM"), as HistGradientBoostingClassifier of scikit-learn does.
#pragma once

#include <lbw/report.hpp>
#include <span>
#include <vector>

#include "report/feature_bins.hpp"

namespace lbw {

/// First and second derivative of the loss by the score of a sample.
struct Derivatives {
  double gradient = 0.0;
  double hessian = 0.0;
};

/// A node without a feature is a leaf.
struct TreeNode {
  int feature = -1;
  int last_bin_of_left = 0;
  int left = 0;  ///< the right child follows it
  double score = 0.0;
};

/// The nodes of a tree, the root first.
using DecisionTree = std::vector<TreeNode>;

/// What the trees of a classifier have in common.
struct TreeTraining {
  const BinnedSamples& samples;
  std::vector<Index> first_bins;  ///< of every feature among those of all features; then the number
  const BoostedTreesOptions& options;
};

/// Grows a tree whose leaves are Newton steps of the loss, and adds the scores of its leaves to
/// those of the samples. The leaf whose split lowers the loss most is split next.
[[nodiscard]] DecisionTree grow_tree(const TreeTraining& training,
                                     std::span<const Derivatives> derivatives,
                                     std::span<double> scores);

/// Adds the scores of other samples.
void add_scores(const DecisionTree& tree, const BinnedSamples& samples, std::span<double> scores);

}  // namespace lbw
