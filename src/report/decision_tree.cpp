// SPDX-License-Identifier: MIT
#include "report/decision_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/indexing.hpp"

namespace lbw {

namespace {

// Of a child, in units of samples. Below it, a Newton step would be arbitrarily long.
constexpr double least_hessian = 1e-3;

double newton_step(const NodeSums& sums) { return -sums.gradient / (sums.hessian + 1e-15); }

/// Twice the change of the loss by a Newton step, to second order.
double loss_of(const NodeSums& sums) { return sums.gradient * newton_step(sums); }

}  // namespace

TreeGrower::TreeGrower(const BinnedSamples& samples, std::vector<Index> first_bins,
                       const BoostedTreesOptions& options)
    : samples_(samples),
      first_bins_(std::move(first_bins)),
      options_(options),
      order_(to_size(samples.n_samples)) {}

DecisionTree TreeGrower::grow(std::span<const Derivatives> derivatives, std::span<double> scores) {
  std::iota(order_.begin(), order_.end(), 0U);
  tree_.assign(1, {});
  leaves_.clear();
  leaves_.push_back(root(derivatives));
  const auto most_leaves = to_size(options_.max_leaf_nodes);
  while (leaves_.size() < most_leaves) {
    const auto best =
        std::ranges::max_element(leaves_, {}, [](const Leaf& leaf) { return leaf.split.gain; });
    if (best->split.gain <= 0.0) break;
    Leaf leaf = std::move(*best);
    leaves_.erase(best);
    split(derivatives, std::move(leaf), leaves_.size() + 2 == most_leaves);
  }
  const bool is_root = leaves_.size() == 1;
  for (Leaf& leaf : leaves_) {
    const double score = is_root ? 0.0 : options_.learning_rate * newton_step(leaf.sums);
    at(tree_, leaf.node).score = score;
    for (std::size_t i = leaf.begin; i < leaf.end; ++i) scores[order_[i]] += score;
    release(std::move(leaf.histogram));
  }
  return tree_;
}

TreeGrower::Leaf TreeGrower::root(std::span<const Derivatives> derivatives) {
  Leaf leaf;
  leaf.end = order_.size();
  for (const auto& [gradient, hessian] : derivatives) leaf.sums += {gradient, hessian, 1.0};
  if (!may_split(leaf)) return leaf;
  leaf.histogram = histogram_of(derivatives, leaf);
  leaf.split = best_split(leaf);
  return leaf;
}

void TreeGrower::split(std::span<const Derivatives> derivatives, Leaf leaf, bool are_final) {
  const std::size_t middle = partition(leaf);
  const auto child = static_cast<int>(tree_.size());
  at(tree_, leaf.node) = {leaf.split.feature, leaf.split.bin, child, 0.0};
  tree_.resize(tree_.size() + 2);
  Leaf left{.node = child, .begin = leaf.begin, .end = middle, .sums = leaf.split.left};
  Leaf right{.node = child + 1, .begin = middle, .end = leaf.end, .sums = leaf.sums};
  right.sums -= left.sums;
  if (!are_final && (may_split(left) || may_split(right))) {
    add_histograms(derivatives, left, right, std::move(leaf.histogram));
    if (may_split(left)) left.split = best_split(left);
    if (may_split(right)) right.split = best_split(right);
  } else {
    release(std::move(leaf.histogram));
  }
  leaves_.push_back(std::move(left));
  leaves_.push_back(std::move(right));
}

std::size_t TreeGrower::partition(const Leaf& leaf) {
  const std::uint8_t* const bins = samples_.feature(leaf.split.feature);
  of_right_.clear();
  std::size_t middle = leaf.begin;
  for (std::size_t i = leaf.begin; i < leaf.end; ++i) {
    const std::uint32_t sample = order_[i];
    if (bins[sample] <= leaf.split.bin) {
      order_[middle++] = sample;
    } else {
      of_right_.push_back(sample);
    }
  }
  std::ranges::copy(of_right_, order_.begin() + static_cast<Index>(middle));
  return middle;
}

// The histogram of the larger child is that of the whole without the smaller one.
void TreeGrower::add_histograms(std::span<const Derivatives> derivatives, Leaf& left, Leaf& right,
                                Histogram whole) {
  Leaf& small = left.size() < right.size() ? left : right;
  Leaf& large = left.size() < right.size() ? right : left;
  small.histogram = histogram_of(derivatives, small);
  large.histogram = std::move(whole);
  for (std::size_t i = 0; i < large.histogram.size(); ++i) {
    large.histogram[i] -= small.histogram[i];
  }
}

TreeGrower::Histogram TreeGrower::histogram_of(std::span<const Derivatives> derivatives,
                                               const Leaf& leaf) {
  Histogram histogram;
  if (!unused_.empty()) {
    histogram = std::move(unused_.back());
    unused_.pop_back();
  }
  histogram.assign(to_size(first_bins_.back()), {});
  of_leaf_.clear();  // next to each other for all features
  for (std::size_t i = leaf.begin; i < leaf.end; ++i) of_leaf_.push_back(derivatives[order_[i]]);
  const std::uint32_t* const samples = order_.data() + leaf.begin;
  for (int feature = 0; feature < n_features(); ++feature) {
    NodeSums* const sums = histogram.data() + at(first_bins_, feature);
    const std::uint8_t* const bins = samples_.feature(feature);
    for (std::size_t i = 0; i < of_leaf_.size(); ++i) {
      sums[bins[samples[i]]] += {of_leaf_[i].gradient, of_leaf_[i].hessian, 1.0};
    }
  }
  return histogram;
}

void TreeGrower::release(Histogram histogram) {
  if (!histogram.empty()) unused_.push_back(std::move(histogram));
}

bool TreeGrower::may_split(const Leaf& leaf) const {
  return leaf.size() >= 2 * to_size(options_.min_samples_leaf);
}

TreeGrower::Split TreeGrower::best_split(const Leaf& leaf) const {
  Split best;
  for (int feature = 0; feature < n_features(); ++feature) {
    find_best_split_of_feature(leaf, feature, best);
  }
  return best;
}

// A Newton step decreases the loss by half of gradient^2 / hessian. Splits of different samples
// often have equal gains, so that rounding decides between them: the gain is computed as
// scikit-learn does. Most bins are far from the best one, which products show without divisions.
void TreeGrower::find_best_split_of_feature(const Leaf& leaf, int feature, Split& best) const {
  constexpr double nearly = 1.0 - 1e-11;  // more than newton_step adds to a hessian
  const auto least_count = static_cast<double>(options_.min_samples_leaf);
  const Index n_bins = at(first_bins_, feature + 1) - at(first_bins_, feature);
  const NodeSums* const bins = leaf.histogram.data() + at(first_bins_, feature);
  const bool is_root = leaf.size() == order_.size();  // its own step is not taken
  const double before = is_root ? 0.0 : loss_of(leaf.sums);
  double promising = (best.gain - before) * nearly;
  NodeSums left;
  for (Index bin = 0; bin + 1 < n_bins; ++bin) {
    left += bins[bin];
    NodeSums right = leaf.sums;
    right -= left;
    if (left.count < least_count || left.hessian < least_hessian) continue;
    if (right.count < least_count || right.hessian < least_hessian) break;
    const double numerator = left.gradient * left.gradient * right.hessian +
                             right.gradient * right.gradient * left.hessian;
    if (numerator <= promising * (left.hessian * right.hessian)) continue;
    const double gain = before - loss_of(left) - loss_of(right);
    if (gain <= best.gain) continue;
    best = {gain, feature, static_cast<int>(bin), left};
    promising = (gain - before) * nearly;
  }
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
