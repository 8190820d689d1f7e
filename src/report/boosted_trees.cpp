// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <lbw/report.hpp>
#include <limits>
#include <memory>

#include "core/idle_states.hpp"
#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "report/decision_tree.hpp"

namespace lbw {

namespace {

constexpr const char* classifying = "group_probabilities";

void check_labels(std::span<const int> labels, Index n_samples) {
  require(std::ssize(labels) == n_samples, classifying, ": labels has ",
          counted(labels.size(), "entry"), " for ", counted(n_samples, "sample"),
          ", expected one per sample");
  const auto [least, most] = std::ranges::minmax_element(labels);
  require(*least >= 0, classifying, ": labels has the value ", *least, ", expected numbers >= 0");
  std::vector<bool> found(to_size(Index{*most}) + 1, false);
  for (const int label : labels) at(found, label) = true;
  const auto missing = std::ranges::find(found, false);
  require(missing == found.end(), classifying, ": labels has no ", missing - found.begin(),
          " but a larger number, expected all numbers from 0");
  require(found.size() > 1, classifying, ": labels are all 0, expected two or more groups");
}

void check_weights(std::span<const double> weights, std::span<const int> labels) {
  if (weights.empty()) return;
  require(weights.size() == labels.size(), classifying, ": weights has ",
          counted(weights.size(), "entry"), " for ", counted(labels.size(), "sample"),
          ", expected one per sample or none");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    require(weights[i] >= 0.0 && std::isfinite(weights[i]), classifying, ": weights[", i, "] is ",
            weights[i], ", expected a finite number >= 0");
  }
  require(std::ranges::any_of(weights, [](double weight) { return weight > 0.0; }), classifying,
          ": weights are all 0, expected at least one above 0");
}

/// The weights, divided by a power of two if single precision cannot hold their derivatives.
std::vector<double> moderate(std::span<const double> weights) {
  constexpr int largest_exponent = 100;
  std::vector<double> scaled(weights.begin(), weights.end());
  if (scaled.empty()) return scaled;
  const int exponent = std::ilogb(*std::ranges::max_element(scaled));
  if (exponent <= largest_exponent) return scaled;
  for (double& weight : scaled) weight = std::ldexp(weight, largest_exponent - exponent);
  return scaled;
}

void check_options(const BoostedTreesOptions& options) {
  require(options.n_iterations >= 1, classifying, ": n_iterations is ", options.n_iterations,
          ", expected >= 1");
  require(options.max_leaf_nodes >= 2, classifying, ": max_leaf_nodes is ", options.max_leaf_nodes,
          ", expected >= 2");
  require(options.min_samples_leaf >= 1, classifying, ": min_samples_leaf is ",
          options.min_samples_leaf, ", expected >= 1");
  require(options.learning_rate > 0.0 && std::isfinite(options.learning_rate), classifying,
          ": learning_rate is ", options.learning_rate, ", expected a positive number");
}

/// (n_groups, n_samples), or a single row for two groups: the logarithm of the odds of the second.
using Scores = RowMatrix;

/// Probabilities by the scores of one sample, which they replace: a softmax.
void to_probabilities(std::span<double> scores) {
  const double most = *std::ranges::max_element(scores);
  double sum = 0.0;
  for (double& score : scores) {
    score = std::exp(score - most);
    sum += score;
  }
  for (double& score : scores) score /= sum;
}

double logistic(double score) { return 1.0 / (1.0 + std::exp(-score)); }

/// The groups' proportions as scores.
Vector first_scores(std::span<const int> labels, std::span<const double> weights, Index n_groups) {
  Vector sums = Vector::Zero(n_groups);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    sums[labels[i]] += weights.empty() ? 1.0 : weights[i];
  }
  const double least = std::numeric_limits<double>::epsilon() * sums.sum();
  const Vector logs = sums.cwiseMax(least).array().log();
  if (n_groups > 2) return logs;
  return Vector::Constant(1, logs[1] - logs[0]);
}

/// Boosting of one kind of samples, with the scores of others.
class Boosting {
 public:
  Boosting(const BinnedSamples& samples, const BinnedSamples& others, std::vector<Index> first_bins,
           const Vector& first, const BoostedTreesOptions& options)
      : samples_(samples),
        others_(others),
        first_bins_(std::move(first_bins)),
        options_(options),
        scores_(first.size(), samples.n_samples),
        scores_of_others_(first.size(), others.n_samples) {
    for (Index row = 0; row < first.size(); ++row) {
      scores_.row(row).setConstant(first[row]);
      scores_of_others_.row(row).setConstant(first[row]);
    }
  }

  /// Adds a tree per row of the scores, all by the same probabilities.
  void step(std::span<const int> labels, std::span<const double> weights) {
    const Scores probabilities = probabilities_of_labels();
    const Index n_rows = scores_.rows();
    constexpr double work_of_a_value = 60.0;
    const double work = work_of_a_value * static_cast<double>(samples_.bins.size());
    const Execution execution =
        threads_worth(work * static_cast<double>(n_rows), options_.execution);
    const auto new_grower = [&] {
      return std::make_unique<TreeGrower>(samples_, first_bins_, options_);
    };
    for_each_chunk(n_rows, execution, [&](Index row) {
      const int group = n_rows == 1 ? 1 : static_cast<int>(row);
      std::vector<Derivatives> derivatives(labels.size());
      for (std::size_t i = 0; i < labels.size(); ++i) {
        const double weight = weights.empty() ? 1.0 : weights[i];
        const double p = probabilities(row, static_cast<Index>(i));
        const double target = labels[i] == group ? 1.0 : 0.0;
        derivatives[i] = {static_cast<float>(weight * (p - target)),
                          static_cast<float>(weight * p * (1.0 - p))};
      }
      const DecisionTree tree = growers_.with(new_grower, [&](TreeGrower& grower) {
        return grower.grow(derivatives, row_of(scores_, row));
      });
      add_scores(tree, others_, row_of(scores_of_others_, row));
    });
  }

  /// (n_others, n_groups)
  [[nodiscard]] RowMatrix probabilities_of_others() const {
    const Index n_rows = scores_of_others_.rows();
    RowMatrix probabilities(others_.n_samples, std::max<Index>(2, n_rows));
    for (Index i = 0; i < others_.n_samples; ++i) {
      if (n_rows == 1) {
        probabilities(i, 0) = logistic(-scores_of_others_(0, i));
        probabilities(i, 1) = logistic(scores_of_others_(0, i));
        continue;
      }
      probabilities.row(i) = scores_of_others_.col(i).transpose();
      to_probabilities({probabilities.row(i).data(), to_size(n_rows)});
    }
    return probabilities;
  }

 private:
  [[nodiscard]] static std::span<double> row_of(Scores& scores, Index row) {
    return {scores.row(row).data(), to_size(scores.cols())};
  }

  /// The probabilities of the training samples, in the shape of their scores.
  [[nodiscard]] Scores probabilities_of_labels() const {
    Scores probabilities = scores_;
    if (scores_.rows() == 1) {
      for (double& score : row_of(probabilities, 0)) score = logistic(score);
      return probabilities;
    }
    std::vector<double> own(to_size(scores_.rows()));
    for (Index i = 0; i < scores_.cols(); ++i) {
      for (Index row = 0; row < scores_.rows(); ++row) at(own, row) = scores_(row, i);
      to_probabilities(own);
      for (Index row = 0; row < scores_.rows(); ++row) probabilities(row, i) = at(own, row);
    }
    return probabilities;
  }

  const BinnedSamples& samples_;
  const BinnedSamples& others_;
  std::vector<Index> first_bins_;
  BoostedTreesOptions options_;
  IdleStates<TreeGrower> growers_;  ///< one per thread
  Scores scores_;
  Scores scores_of_others_;
};

std::vector<std::vector<double>> limits_of(SampleView samples, std::span<const double> weights,
                                           const Execution& execution) {
  std::vector<std::vector<double>> limits(to_size(samples.n_features()));
  constexpr double work_of_a_value = 100.0;
  const double n_values = static_cast<double>(samples.n_samples() * samples.n_features());
  for_each_chunk(samples.n_features(), threads_worth(work_of_a_value * n_values, execution),
                 [&](Index f) {
                   std::vector<double> values(to_size(samples.n_samples()));
                   for (Index i = 0; i < samples.n_samples(); ++i) at(values, i) = samples(i, f);
                   at(limits, f) = bin_limits(values, weights);
                 });
  return limits;
}

}  // namespace

RowMatrix group_probabilities(SampleView samples, std::span<const int> labels, SampleView others,
                              std::span<const double> weights, const BoostedTreesOptions& options) {
  check_execution(options.execution, classifying);
  check_options(options);
  check_samples(samples, classifying, "samples", options.execution);
  check_samples(others, classifying, "others", options.execution);
  require(others.n_features() == samples.n_features(), classifying, ": others has ",
          counted(others.n_features(), "feature"), ", samples has ", samples.n_features(),
          ", expected the same number");
  check_labels(labels, samples.n_samples());
  check_weights(weights, labels);
  const std::vector<double> counted = moderate(weights);
  const auto limits = limits_of(samples, counted, options.execution);
  std::vector<Index> first_bins{0};
  for (const auto& own : limits) first_bins.push_back(first_bins.back() + std::ssize(own) + 1);
  const BinnedSamples seen = binned(samples, limits);
  const BinnedSamples unseen = binned(others, limits);
  const Index n_groups = *std::ranges::max_element(labels) + 1;
  Boosting boosting(seen, unseen, std::move(first_bins), first_scores(labels, counted, n_groups),
                    options);
  for (int i = 0; i < options.n_iterations; ++i) {
    throw_if_stopped(options.execution);
    boosting.step(labels, counted);
  }
  return boosting.probabilities_of_others();
}

}  // namespace lbw
