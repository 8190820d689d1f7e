// SPDX-License-Identifier: MIT
#include <lbw/report.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "device/device.hpp"
#include "report/permutations.hpp"

namespace lbw {

namespace {

void check_arguments(SampleView first, SampleView second, const SeparationOptions& options) {
  check_permutations(options.n_permutations, "separation");
  check_two_samples(first, second, options.execution, "separation");
  require(first.n_samples() >= 2 && second.n_samples() >= 2, "separation", ": first has ",
          counted(first.n_samples(), "sample"), " and second ", second.n_samples(),
          ", expected 2 or more of each");
  const Index half = (first.n_samples() + second.n_samples()) / 2;
  require(options.n_neighbors >= 0 && options.n_neighbors <= half, "separation",
          ": n_neighbors is ", options.n_neighbors, ", expected a number up to ", half,
          " (half of the samples), or 0 for the default");
}

/// (n_features, n_points): standardized features, with the values of a feature adjacent.
RowMatrix standardized(SampleView first, SampleView second) {
  RowMatrix points(first.n_features(), first.n_samples() + second.n_samples());
  for (Index i = 0; i < first.n_samples(); ++i) points.col(i) = first.row(i);
  for (Index i = 0; i < second.n_samples(); ++i) {
    points.col(first.n_samples() + i) = second.row(i);
  }
  constexpr double rounding = 1e-12;  // differences that a map leaves in a constant are ignored
  for (Index f = 0; f < points.rows(); ++f) {
    const double magnitude = points.row(f).cwiseAbs().maxCoeff();
    points.row(f).array() -= points.row(f).mean();
    // squares of tiny features underflow
    const double norm = magnitude < 1e-140 ? points.row(f).stableNorm() : points.row(f).norm();
    const double deviation = norm / std::sqrt(static_cast<double>(points.cols()));
    points.row(f) /= deviation > rounding * magnitude ? deviation : std::max(magnitude, 1.0);
  }
  return points;
}

using Neighbors = std::vector<int>;

/// The fraction of the second sample among the neighbours of every point.
std::vector<double> scores_of(const std::vector<Neighbors>& neighbors,
                              const Membership& is_second) {
  std::vector<double> scores;
  for (const Neighbors& own : neighbors) {
    Index count = 0;
    for (const int neighbor : own) count += at(is_second, neighbor) ? 1 : 0;
    scores.push_back(static_cast<double>(count) / static_cast<double>(own.size()));
  }
  return scores;
}

/// The number of pairs with one point of each sample, and of those won by the second sample.
struct Wins {
  std::int64_t halves = 0;  ///< a win counts two, a tie one
  std::int64_t n_pairs = 0;
};

/// The wins among the points of one half.
Wins wins_of(const std::vector<double>& scores, const Membership& is_second,
             const Membership& halves, bool half) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (halves[i] == half) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  Wins wins;
  std::int64_t n_first = 0;
  std::int64_t n_second = 0;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    std::int64_t tied[2] = {0, 0};
    for (; end < order.size() && scores[order[end]] == scores[order[begin]]; ++end) {
      ++tied[is_second[order[end]] ? 1 : 0];
    }
    wins.halves += tied[1] * (2 * n_first + tied[0]);
    n_first += tied[0];
    n_second += tied[1];
  }
  wins.n_pairs = n_first * n_second;
  return wins;
}

double auc_of(const std::vector<double>& scores, const Membership& is_second,
              const Membership& halves) {
  const Wins first = wins_of(scores, is_second, halves, false);
  const Wins second = wins_of(scores, is_second, halves, true);
  const std::int64_t n_pairs = first.n_pairs + second.n_pairs;
  if (n_pairs == 0) return 0.5;  // few samples, each in its own half
  return 0.5 * static_cast<double>(first.halves + second.halves) / static_cast<double>(n_pairs);
}

}  // namespace

Separation separation(SampleView first, SampleView second, const SeparationOptions& options) {
  check_arguments(first, second, options);
  const Index n_first = first.n_samples();
  const Index n_second = second.n_samples();
  Separation result;
  result.n_neighbors = options.n_neighbors;
  if (result.n_neighbors == 0) {
    result.n_neighbors =
        static_cast<int>(std::lround(std::sqrt(0.5 * static_cast<double>(n_first + n_second))));
  }
  const Membership halves = random_halves(n_first + n_second, options.seed);
  const std::vector<Neighbors> neighbors =
      device_of(options.execution)
          .nearest_across(standardized(first, second), halves, result.n_neighbors,
                          options.execution);
  std::vector<Membership> memberships =
      random_permutations(n_first, n_second, options.n_permutations, options.seed);
  memberships.insert(memberships.begin(), membership_of(n_first, n_second));
  Vector aucs(std::ssize(memberships));
  for_each_chunk(aucs.size(), options.execution, [&](Index i) {
    const Membership& is_second = at(memberships, i);
    aucs[i] = auc_of(scores_of(neighbors, is_second), is_second, halves);
  });
  result.auc = aucs[0];
  result.null = null_of(aucs);
  return result;
}

}  // namespace lbw
