// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <lbw/report.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <optional>
#include <set>

#include "report/feature_bins.hpp"
#include "support/expect_error.hpp"
#include "support/generators.hpp"

namespace lbw {
namespace {

using Rows = std::vector<Index>;

struct Oracle;

/// A test of one feature, or a leaf.
struct OracleNode {
  Rows rows;
  double before = 0.0;
  Index feature = 0;
  double limit = 0.0;
  double gain = 0.0;
  std::vector<OracleNode> children = {};
  double score = 0.0;
};

/// Boosted trees by their definition: every limit between two values is tried on the rows
/// themselves.
struct Oracle {
  RowMatrix samples;
  std::vector<int> labels;
  std::vector<double> weights;
  BoostedTreesOptions options;
  Vector gradients = {};
  Vector hessians = {};

  [[nodiscard]] double gain_of(const Rows& rows) const {
    double gradient = 0.0;
    double hessian = 0.0;
    for (const Index i : rows) {
      gradient += gradients[i];
      hessian += hessians[i];
    }
    if (std::ssize(rows) < options.min_samples_leaf || hessian < 1e-3) {
      return -std::numeric_limits<double>::infinity();
    }
    return gradient * gradient / hessian;
  }

  void find_split(OracleNode& node) const {
    for (Index f = 0; f < samples.cols(); ++f) {
      std::set<double> values;
      for (Index i = 0; i < samples.rows(); ++i) values.insert(samples(i, f));
      for (auto next = std::next(values.begin()); next != values.end(); ++next) {
        const double limit = 0.5 * (*std::prev(next) + *next);
        Rows left;
        Rows right;
        for (const Index i : node.rows) (samples(i, f) <= limit ? left : right).push_back(i);
        const double gain = gain_of(left) + gain_of(right) - node.before;
        if (gain > node.gain + 1e-9) {
          node.gain = gain;
          node.feature = f;
          node.limit = limit;
          node.children = {{left, gain_of(left)}, {right, gain_of(right)}};
        }
      }
    }
  }

  [[nodiscard]] OracleNode tree() const {
    OracleNode root;
    for (Index i = 0; i < samples.rows(); ++i) root.rows.push_back(i);
    find_split(root);
    std::vector<OracleNode*> leaves{&root};
    while (std::ssize(leaves) < options.max_leaf_nodes) {
      const auto best = std::ranges::max_element(leaves, {}, [](auto* leaf) { return leaf->gain; });
      OracleNode* const node = *best;
      if (node->gain <= 0.0) break;
      leaves.erase(best);
      for (OracleNode& child : node->children) {
        find_split(child);
        leaves.push_back(&child);
      }
      node->gain = -1.0;  // is no leaf
    }
    for (OracleNode* leaf : leaves) set_score(*leaf);
    return root;
  }

  void set_score(OracleNode& leaf) const {
    leaf.children.clear();
    double gradient = 0.0;
    double hessian = 0.0;
    for (const Index i : leaf.rows) {
      gradient += gradients[i];
      hessian += hessians[i];
    }
    const bool is_root = std::ssize(leaf.rows) == samples.rows();
    leaf.score = is_root ? 0.0 : -options.learning_rate * gradient / hessian;
  }

  static double score_of(const OracleNode& node, const Vector& row) {
    if (node.children.empty()) return node.score;
    return score_of(node.children[row[node.feature] <= node.limit ? 0 : 1], row);
  }

  [[nodiscard]] RowMatrix probabilities(const RowMatrix& others) {
    const Index n_groups = *std::ranges::max_element(labels) + 1;
    RowMatrix scores = RowMatrix::Zero(samples.rows(), n_groups);
    RowMatrix scores_of_others = RowMatrix::Zero(others.rows(), n_groups);
    for (Index g = 0; g < n_groups; ++g) {
      double sum = 0.0;
      for (std::size_t i = 0; i < labels.size(); ++i) sum += labels[i] == g ? weights[i] : 0.0;
      scores.col(g).setConstant(std::log(sum));
      scores_of_others.col(g).setConstant(std::log(sum));
    }
    for (int step = 0; step < options.n_iterations; ++step) {
      const RowMatrix now = softmax(scores);
      for (Index g = n_groups == 2 ? 1 : 0; g < n_groups; ++g) {
        gradients.resize(samples.rows());
        hessians.resize(samples.rows());
        for (Index i = 0; i < samples.rows(); ++i) {
          const auto place = static_cast<std::size_t>(i);
          const double p = now(i, g);
          const double target = labels[place] == g ? 1.0 : 0.0;
          gradients[i] = static_cast<float>(weights[place] * (p - target));
          hessians[i] = static_cast<float>(weights[place] * p * (1.0 - p));
        }
        const OracleNode root = tree();
        for (Index i = 0; i < samples.rows(); ++i) scores(i, g) += score_of(root, samples.row(i));
        for (Index i = 0; i < others.rows(); ++i) {
          scores_of_others(i, g) += score_of(root, others.row(i));
        }
      }
    }
    return softmax(scores_of_others);
  }

  static RowMatrix softmax(const RowMatrix& scores) {
    RowMatrix result = scores.array().exp();
    for (Index i = 0; i < result.rows(); ++i) result.row(i) /= result.row(i).sum();
    return result;
  }
};

struct Data {
  RowMatrix samples;
  std::vector<int> labels;
  std::vector<double> weights;
};

/// Groups around different means, and one feature of few values.
Data data_of(Index n_samples, int n_groups, std::uint64_t seed) {
  Data data{normal_rows(n_samples, 3, seed), {}, {}};
  for (Index i = 0; i < n_samples; ++i) {
    const int label = static_cast<int>(i % n_groups);
    data.samples(i, 0) += label;
    data.samples(i, 2) = std::round(data.samples(i, 2));
    data.labels.push_back(label);
    data.weights.push_back(0.25 * static_cast<double>(1 + i % 4));
  }
  return data;
}

TEST(GroupProbabilities, AreThoseOfTheDefinition) {
  for (const int n_groups : {2, 3}) {
    for (const bool is_weighted : {false, true}) {
      Data data = data_of(150, n_groups, 3);
      const RowMatrix others = normal_rows(40, 3, 4);
      const BoostedTreesOptions options{
          .n_iterations = 6, .max_leaf_nodes = 5, .min_samples_leaf = 9, .learning_rate = 0.3};
      const std::vector<double> ones(data.weights.size(), 1.0);
      Oracle oracle{data.samples, data.labels, is_weighted ? data.weights : ones, options};
      const RowMatrix expected = oracle.probabilities(others);
      const RowMatrix found =
          group_probabilities(data.samples, data.labels, others,
                              is_weighted ? data.weights : std::vector<double>(), options);
      // rounding of sums, multiplied by the steps
      EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-10) << n_groups << is_weighted;
    }
  }
}

// Two equal features have the same gain, but only the first one of the new samples is looked at.
TEST(GroupProbabilities, SplitByTheFirstOfEqualFeatures) {
  RowMatrix samples(60, 2);
  std::vector<int> labels;
  for (Index i = 0; i < 60; ++i) {
    samples.row(i).setConstant(static_cast<double>(i));
    labels.push_back(i < 30 ? 0 : 1);
  }
  RowMatrix others(2, 2);
  others << 0.0, 59.0,  // the first group by the first feature
      59.0, 0.0;
  const RowMatrix found =
      group_probabilities(samples, labels, others, {}, {.min_samples_leaf = 10});
  EXPECT_GT(found(0, 0), 0.9);
  EXPECT_GT(found(1, 1), 0.9);
}

TEST(GroupProbabilities, AreTheSameForAnyNumberOfThreads) {
  const Data data = data_of(9000, 4, 5);
  BoostedTreesOptions options{.n_iterations = 3};
  options.execution.n_threads = 1;
  const RowMatrix one = group_probabilities(data.samples, data.labels, data.samples, {}, options);
  options.execution.n_threads = 3;
  const RowMatrix three = group_probabilities(data.samples, data.labels, data.samples, {}, options);
  EXPECT_EQ(one, three);
}

TEST(GroupProbabilities, AreProportionsWithoutDifferences) {
  const RowMatrix constant = RowMatrix::Constant(100, 2, 7.0);
  std::vector<int> labels(100, 0);
  std::fill(labels.begin(), labels.begin() + 25, 1);
  const RowMatrix found = group_probabilities(constant, labels, constant.topRows(1));
  EXPECT_NEAR(found(0, 0), 0.75, 1e-15);
  EXPECT_NEAR(found(0, 1), 0.25, 1e-15);
}

TEST(GroupProbabilities, SeparateGroupsThatDiffer) {
  const Data data = data_of(3000, 2, 6);
  RowMatrix far = RowMatrix::Zero(2, 3);
  far(0, 0) = -3.0;
  far(1, 0) = 4.0;
  const RowMatrix found = group_probabilities(data.samples, data.labels, far);
  EXPECT_GT(found(0, 0), 0.9);
  EXPECT_GT(found(1, 1), 0.9);
}

TEST(GroupProbabilities, HandleGroupsOfWeightZero) {
  const Data data = data_of(300, 3, 7);
  std::vector<double> weights;
  for (const int label : data.labels) weights.push_back(label == 1 ? 0.0 : 1.0);
  const RowMatrix found = group_probabilities(data.samples, data.labels, data.samples, weights);
  EXPECT_TRUE(found.allFinite());
  EXPECT_LT(found.col(1).maxCoeff(), 1e-12);
}

TEST(GroupProbabilities, IgnoreTheScaleOfVeryLargeWeights) {
  const Data data = data_of(900, 3, 8);
  std::vector<double> large = data.weights;
  std::vector<double> larger = data.weights;
  for (std::size_t i = 0; i < large.size(); ++i) {
    large[i] = std::ldexp(large[i], 100);
    larger[i] = std::ldexp(larger[i], 1023);  // their sum overflows
  }
  const RowMatrix expected = group_probabilities(data.samples, data.labels, data.samples, large);
  EXPECT_TRUE(expected.allFinite());
  EXPECT_EQ(group_probabilities(data.samples, data.labels, data.samples, larger), expected);
}

TEST(GroupProbabilities, RejectArguments) {
  const Data data = data_of(30, 2, 1);
  const auto call = [&](const std::vector<int>& labels, const RowMatrix& others,
                        const std::vector<double>& weights = {},
                        const BoostedTreesOptions& options = {}) {
    return
        [=, &data] { (void)group_probabilities(data.samples, labels, others, weights, options); };
  };
  expect_error<InvalidArgument>(
      call({0, 1}, data.samples),
      "group_probabilities: labels has 2 entries for 30 samples, expected one per sample");
  std::vector<int> labels = data.labels;
  labels[4] = -1;
  expect_error<InvalidArgument>(
      call(labels, data.samples),
      "group_probabilities: labels has the value -1, expected numbers >= 0");
  labels[4] = 3;
  expect_error<InvalidArgument>(call(labels, data.samples),
                                "group_probabilities: labels has no 2 but a larger number, "
                                "expected all numbers from 0");
  expect_error<InvalidArgument>(
      call(std::vector<int>(30, 0), data.samples),
      "group_probabilities: labels are all 0, expected two or more groups");
  expect_error<InvalidArgument>(
      call(data.labels, RowMatrix::Zero(2, 2)),
      "group_probabilities: others has 2 features, samples has 3, expected the same number");
  expect_error<InvalidArgument>(call(data.labels, data.samples, {1.0}),
                                "group_probabilities: weights has 1 entry for 30 samples, "
                                "expected one per sample or none");
  std::vector<double> weights(30, 1.0);
  weights[2] = -2.0;
  expect_error<InvalidArgument>(
      call(data.labels, data.samples, weights),
      "group_probabilities: weights[2] is -2, expected a finite number >= 0");
  expect_error<InvalidArgument>(
      call(data.labels, data.samples, std::vector<double>(30, 0.0)),
      "group_probabilities: weights are all 0, expected at least one above 0");
  expect_error<InvalidArgument>(call(data.labels, data.samples, {}, {.n_iterations = 0}),
                                "group_probabilities: n_iterations is 0, expected >= 1");
  expect_error<InvalidArgument>(call(data.labels, data.samples, {}, {.max_leaf_nodes = 1}),
                                "group_probabilities: max_leaf_nodes is 1, expected >= 2");
  expect_error<InvalidArgument>(call(data.labels, data.samples, {}, {.min_samples_leaf = 0}),
                                "group_probabilities: min_samples_leaf is 0, expected >= 1");
  expect_error<InvalidArgument>(
      call(data.labels, data.samples, {}, {.learning_rate = 0.0}),
      "group_probabilities: learning_rate is 0, expected a positive number");
}

TEST(BinLimits, AreMiddlesOfFewValues) {
  const std::vector<double> values{3.0, 1.0, 3.0, 2.0};
  EXPECT_EQ(bin_limits(values, {}), (std::vector<double>{1.5, 2.5}));
}

TEST(BinLimits, IgnoreValuesOfWeightZero) {
  const std::vector<double> values{3.0, 1.0, 3.0, 2.0};
  const std::vector<double> weights{1.0, 2.0, 1.0, 0.0};
  EXPECT_EQ(bin_limits(values, weights), (std::vector<double>{2.0}));
}

/// The smallest value whose cumulative weight is at least a level of the total, or the middle
/// between it and the next one where they are equal.
std::vector<double> limits_by_definition(const std::vector<double>& values,
                                         const std::vector<double>& weights) {
  const std::set<double> distinct(values.begin(), values.end());
  std::set<double> limits;
  for (int level = 1; level < most_bins; ++level) {
    double total = 0.0;
    for (const double weight : weights) total += weight;
    for (auto value = distinct.begin(); value != distinct.end(); ++value) {
      double below = 0.0;
      for (std::size_t i = 0; i < values.size(); ++i)
        below += values[i] <= *value ? weights[i] : 0.0;
      const double wanted = level * (100.0 / most_bins) / 100.0 * total;
      if (below < wanted) continue;
      const bool is_between = below == wanted;
      limits.insert(is_between ? 0.5 * (*value + *std::next(value)) : *value);
      break;
    }
  }
  return {limits.begin(), limits.end()};
}

TEST(BinLimits, AreQuantilesOfManyValues) {
  std::vector<double> values;
  std::vector<double> weights;
  for (int i = 0; i < 510; ++i) {
    values.push_back(i * i % 521 + (i % 7) * 0.125);
    weights.push_back(1 + i % 3);
  }
  const std::vector<double> ones(values.size(), 1.0);
  EXPECT_EQ(bin_limits(values, {}), limits_by_definition(values, ones));
  EXPECT_EQ(bin_limits(values, weights), limits_by_definition(values, weights));
}

TEST(Binned, CountsTheLimitsBelowAValue) {
  RowMatrix samples(4, 1);
  samples << 1.0, 1.5, 2.0, 9.0;
  const std::vector<std::vector<double>> limits{{1.5, 2.5}};
  EXPECT_EQ(binned(samples, limits).bins, (std::vector<std::uint8_t>{0, 0, 1, 2}));
}

}  // namespace
}  // namespace lbw
