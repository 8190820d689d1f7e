// SPDX-License-Identifier: MIT
// One tree of a boosted classifier, grown by histograms of binned features (Ke et al. 2017,
// "LightGBM"), as HistGradientBoostingClassifier of scikit-learn does.
#pragma once

#include <cstdint>
#include <lbw/report.hpp>
#include <span>
#include <vector>

#include "report/feature_bins.hpp"

namespace lbw {

/// First and second derivative of the loss by the score of a sample, in single precision. Their
/// sums in double precision have almost no rounding errors, so that splits which part the samples
/// of a node in the same way have equal gains, and the first one of them is taken.
struct Derivatives {
  float gradient = 0.0F;
  float hessian = 0.0F;
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

/// Sums over samples of a node: those of a bin, of a child or of all.
struct NodeSums {
  double gradient = 0.0;
  double hessian = 0.0;
  double count = 0.0;

  void operator+=(const NodeSums& other) {
    gradient += other.gradient;
    hessian += other.hessian;
    count += other.count;
  }
  void operator-=(const NodeSums& other) {
    gradient -= other.gradient;
    hessian -= other.hessian;
    count -= other.count;
  }
};

/// Grows trees on the same samples, with different derivatives. It keeps its working memory.
class TreeGrower {
 public:
  /// @param samples     must outlive the grower
  /// @param first_bins  of every feature among the bins of all features; then their number
  TreeGrower(const BinnedSamples& samples, std::vector<Index> first_bins,
             const BoostedTreesOptions& options);

  /// Grows a tree whose leaves are Newton steps of the loss, and adds the scores of its leaves to
  /// those of the samples. The leaf whose split lowers the loss most is split next.
  [[nodiscard]] DecisionTree grow(std::span<const Derivatives> derivatives,
                                  std::span<double> scores);

 private:
  /// The bins of all features of the samples of a node.
  using Histogram = std::vector<NodeSums>;

  struct Split {
    double gain = 0.0;  ///< twice the decrease of the loss, to second order
    int feature = -1;
    int bin = 0;  ///< the last one of the left child
    NodeSums left = {};
  };

  /// Samples [begin, end) of the order.
  struct Leaf {
    int node = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
    NodeSums sums = {};
    Histogram histogram = {};  ///< empty if the leaf cannot be split
    Split split = {};

    [[nodiscard]] std::size_t size() const { return end - begin; }
  };

  [[nodiscard]] Leaf root(std::span<const Derivatives> derivatives);
  /// Splits a leaf, and prepares its children for splits unless they are final.
  void split(std::span<const Derivatives> derivatives, Leaf leaf, bool are_final);
  /// Moves the samples of the right child behind those of the left one, and returns its first
  /// place.
  [[nodiscard]] std::size_t partition(const Leaf& leaf);
  void add_histograms(std::span<const Derivatives> derivatives, Leaf& left, Leaf& right,
                      Histogram whole);
  [[nodiscard]] Histogram histogram_of(std::span<const Derivatives> derivatives, const Leaf& leaf);
  /// Keeps the memory for other leaves.
  void release(Histogram histogram);
  [[nodiscard]] bool may_split(const Leaf& leaf) const;
  [[nodiscard]] Split best_split(const Leaf& leaf) const;
  void find_best_split_of_feature(const Leaf& leaf, int feature, Split& best) const;
  [[nodiscard]] int n_features() const { return static_cast<int>(first_bins_.size()) - 1; }

  const BinnedSamples& samples_;
  std::vector<Index> first_bins_;
  BoostedTreesOptions options_;
  std::vector<std::uint32_t> order_;  ///< samples, those of a node next to each other
  std::vector<Leaf> leaves_;
  DecisionTree tree_;
  std::vector<std::uint32_t> of_right_;  ///< working memory of partition
  std::vector<Derivatives> of_leaf_;     ///< working memory of histogram_of
  std::vector<Histogram> unused_ = {};   ///< memory of earlier leaves
};

/// Adds the scores of other samples.
void add_scores(const DecisionTree& tree, const BinnedSamples& samples, std::span<double> scores);

}  // namespace lbw
