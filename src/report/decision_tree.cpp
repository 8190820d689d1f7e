// SPDX-License-Identifier: MIT
#include "report/decision_tree.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "core/indexing.hpp"

namespace lbw {

namespace {

// Of a child, in units of samples: below it, a Newton step would be arbitrarily long.
constexpr double least_hessian = 1e-3;

/// Sums over samples of a node: those of a bin, of a child or of all.
struct Sums {
  double gradient = 0.0;
  double hessian = 0.0;
  double count = 0.0;

  void operator+=(const Sums& other) {
    gradient += other.gradient;
    hessian += other.hessian;
    count += other.count;
  }
  void operator-=(const Sums& other) {
    gradient -= other.gradient;
    hessian -= other.hessian;
    count -= other.count;
  }
  [[nodiscard]] double newton_step() const { return -gradient / (hessian + 1e-15); }
};

/// The bins of all features of the samples of a node.
using Histogram = std::vector<Sums>;

struct Split {
  double gain = 0.0;  ///< twice the decrease of the loss, to second order
  int feature = -1;
  int bin = 0;  ///< the last one of the left child
  Sums left;
};

/// A leaf that may be split: samples [begin, end) of the order.
struct OpenLeaf {
  int node = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  Sums sums;
  Histogram histogram = {};  ///< empty if the leaf cannot be split
  Split split = {};

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

class Grower {
 public:
  Grower(const TreeTraining& training, std::span<const Derivatives> derivatives)
      : training_(training),
        derivatives_(derivatives),
        order_(to_size(training.samples.n_samples)) {
    std::iota(order_.begin(), order_.end(), 0U);
  }

  DecisionTree grow(std::span<double> scores);

 private:
  [[nodiscard]] OpenLeaf root();
  /// Splits a leaf, and its children if they may have children of their own.
  void split(OpenLeaf leaf, bool are_final);
  void add_histograms(OpenLeaf& left, OpenLeaf& right, Histogram whole);
  [[nodiscard]] Histogram histogram_of(const OpenLeaf& leaf) const;
  [[nodiscard]] bool may_split(const OpenLeaf& leaf) const;
  [[nodiscard]] Split best_split(const OpenLeaf& leaf) const;
  void find_best_split_of_feature(const OpenLeaf& leaf, int feature, Split& best) const;
  [[nodiscard]] std::size_t partition(const OpenLeaf& leaf);
  [[nodiscard]] const Sums* bins_of(const Histogram& histogram, int feature) const {
    return histogram.data() + at(training_.first_bins, feature);
  }
  [[nodiscard]] int n_features() const { return static_cast<int>(training_.first_bins.size()) - 1; }

  const TreeTraining& training_;
  std::span<const Derivatives> derivatives_;
  std::vector<std::uint32_t> order_;  ///< samples, those of a node next to each other
  std::vector<std::uint32_t> right_;  ///< working memory of partition
  std::vector<OpenLeaf> leaves_;
  DecisionTree tree_;
};

DecisionTree Grower::grow(std::span<double> scores) {
  tree_.push_back({});
  leaves_.push_back(root());
  const auto most_leaves = to_size(training_.options.max_leaf_nodes);
  while (leaves_.size() < most_leaves) {
    const auto best =
        std::ranges::max_element(leaves_, {}, [](const OpenLeaf& leaf) { return leaf.split.gain; });
    if (best->split.gain <= 0.0) break;
    OpenLeaf leaf = std::move(*best);
    leaves_.erase(best);
    split(std::move(leaf), leaves_.size() + 2 == most_leaves);
  }
  for (const OpenLeaf& leaf : leaves_) {
    const double score = training_.options.learning_rate * leaf.sums.newton_step();
    at(tree_, leaf.node).score = leaf.size() == order_.size() ? 0.0 : score;
    for (std::size_t i = leaf.begin; i < leaf.end; ++i) {
      scores[order_[i]] += at(tree_, leaf.node).score;
    }
  }
  return std::move(tree_);
}

OpenLeaf Grower::root() {
  OpenLeaf leaf;
  leaf.end = order_.size();
  for (const auto& [gradient, hessian] : derivatives_) leaf.sums += {gradient, hessian, 1.0};
  if (!may_split(leaf)) return leaf;
  leaf.histogram = histogram_of(leaf);
  leaf.split = best_split(leaf);
  return leaf;
}

void Grower::split(OpenLeaf leaf, bool are_final) {
  const std::size_t middle = partition(leaf);
  const auto child = static_cast<int>(tree_.size());
  TreeNode& node = at(tree_, leaf.node);
  node = {leaf.split.feature, leaf.split.bin, child, 0.0};
  tree_.resize(tree_.size() + 2);
  OpenLeaf left{.node = child, .begin = leaf.begin, .end = middle, .sums = leaf.split.left};
  OpenLeaf right{.node = child + 1, .begin = middle, .end = leaf.end, .sums = leaf.sums};
  right.sums -= left.sums;
  if (!are_final && (may_split(left) || may_split(right))) {
    add_histograms(left, right, std::move(leaf.histogram));
    if (may_split(left)) left.split = best_split(left);
    if (may_split(right)) right.split = best_split(right);
  }
  leaves_.push_back(std::move(left));
  leaves_.push_back(std::move(right));
}

// The histogram of the larger child is that of the whole without the smaller one.
void Grower::add_histograms(OpenLeaf& left, OpenLeaf& right, Histogram whole) {
  OpenLeaf& small = left.size() < right.size() ? left : right;
  OpenLeaf& large = left.size() < right.size() ? right : left;
  small.histogram = histogram_of(small);
  large.histogram = std::move(whole);
  for (std::size_t i = 0; i < large.histogram.size(); ++i) {
    large.histogram[i] -= small.histogram[i];
  }
}

Histogram Grower::histogram_of(const OpenLeaf& leaf) const {
  Histogram histogram(to_size(training_.first_bins.back()));
  std::vector<Derivatives> derivatives;  // next to each other for all features
  derivatives.reserve(leaf.size());
  for (std::size_t i = leaf.begin; i < leaf.end; ++i) {
    derivatives.push_back(derivatives_[order_[i]]);
  }
  for (int feature = 0; feature < n_features(); ++feature) {
    Sums* const sums = histogram.data() + at(training_.first_bins, feature);
    const std::uint8_t* const bins = training_.samples.feature(feature);
    for (std::size_t i = 0; i < derivatives.size(); ++i) {
      const auto& [gradient, hessian] = derivatives[i];
      sums[bins[order_[leaf.begin + i]]] += {gradient, hessian, 1.0};
    }
  }
  return histogram;
}

bool Grower::may_split(const OpenLeaf& leaf) const {
  return leaf.size() >= 2 * to_size(training_.options.min_samples_leaf);
}

Split Grower::best_split(const OpenLeaf& leaf) const {
  Split best;
  for (int feature = 0; feature < n_features(); ++feature) {
    find_best_split_of_feature(leaf, feature, best);
  }
  return best;
}

// The decrease of the loss by a Newton step is half of gradient^2 / hessian. A bin without samples
// moves none to the left.
void Grower::find_best_split_of_feature(const OpenLeaf& leaf, int feature, Split& best) const {
  const auto least_count = static_cast<double>(training_.options.min_samples_leaf);
  const Index n_bins = at(training_.first_bins, feature + 1) - at(training_.first_bins, feature);
  const Sums* const bins = bins_of(leaf.histogram, feature);
  const bool is_root = leaf.size() == order_.size();  // its own step is not taken
  const double before = is_root ? 0.0 : leaf.sums.gradient * leaf.sums.gradient / leaf.sums.hessian;
  Sums left;
  for (Index bin = 0; bin + 1 < n_bins; ++bin) {
    if (bins[bin].count == 0.0) continue;
    left += bins[bin];
    Sums right = leaf.sums;
    right -= left;
    if (left.count < least_count || left.hessian < least_hessian) continue;
    if (right.count < least_count || right.hessian < least_hessian) break;
    const double gain = (left.gradient * left.gradient * right.hessian +
                         right.gradient * right.gradient * left.hessian) /
                            (left.hessian * right.hessian) -
                        before;
    if (gain > best.gain) best = {gain, feature, static_cast<int>(bin), left};
  }
}

/// Moves the samples of the right child behind those of the left one, and returns its first place.
std::size_t Grower::partition(const OpenLeaf& leaf) {
  const std::uint8_t* const bins = training_.samples.feature(leaf.split.feature);
  right_.clear();
  std::size_t middle = leaf.begin;
  for (std::size_t i = leaf.begin; i < leaf.end; ++i) {
    const std::uint32_t sample = order_[i];
    if (bins[sample] <= leaf.split.bin) {
      order_[middle++] = sample;
    } else {
      right_.push_back(sample);
    }
  }
  std::ranges::copy(right_, order_.begin() + static_cast<Index>(middle));
  return middle;
}

}  // namespace

DecisionTree grow_tree(const TreeTraining& training, std::span<const Derivatives> derivatives,
                       std::span<double> scores) {
  return Grower(training, derivatives).grow(scores);
}

void add_scores(const DecisionTree& tree, const BinnedSamples& samples, std::span<double> scores) {
  for (Index i = 0; i < samples.n_samples; ++i) {
    const TreeNode* node = tree.data();
    while (node->feature >= 0) {
      const bool is_right = samples.feature(node->feature)[i] > node->last_bin_of_left;
      node = tree.data() + node->left + (is_right ? 1 : 0);
    }
    at(scores, i) += node->score;
  }
}

}  // namespace lbw
