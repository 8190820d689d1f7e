// SPDX-License-Identifier: MIT
#include <lbw/separation.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "report/permutations.hpp"

namespace lbw {

namespace {

constexpr const char* function = "separation";

void check_arguments(SampleView first, SampleView second, const SeparationOptions& options) {
  check_execution(options.execution, function);
  check_permutations(options.n_permutations, function);
  check_samples(first, function, "first", options.execution);
  check_samples(second, function, "second", options.execution);
  require(first.n_features() == second.n_features(), function, ": first has ", first.n_features(),
          " features and second ", second.n_features(), ", expected as many");
  require(first.n_samples() >= 2 && second.n_samples() >= 2, function, ": first has ",
          first.n_samples(), " samples and second ", second.n_samples(),
          ", expected 2 or more of each");
  const Index n_others = first.n_samples() + second.n_samples() - 1;
  require(options.n_neighbors >= 0 && options.n_neighbors <= n_others, function,
          ": n_neighbors is ", options.n_neighbors, ", expected a number up to ", n_others,
          " or 0 for the root of the number of samples");
}

/// (n_features, n_points): a feature of all points side by side, in units of its deviation.
RowMatrix standardized(SampleView first, SampleView second) {
  RowMatrix points(first.n_features(), first.n_samples() + second.n_samples());
  for (Index i = 0; i < first.n_samples(); ++i) points.col(i) = first.row(i);
  for (Index i = 0; i < second.n_samples(); ++i) {
    points.col(first.n_samples() + i) = second.row(i);
  }
  constexpr double rounding = 1e-12;  // what a map leaves of a constant is no difference
  for (Index f = 0; f < points.rows(); ++f) {
    const double magnitude = points.row(f).cwiseAbs().maxCoeff();
    points.row(f).array() -= points.row(f).mean();
    const double deviation = points.row(f).norm() / std::sqrt(static_cast<double>(points.cols()));
    points.row(f) /= deviation > rounding * magnitude ? deviation : std::max(magnitude, 1.0);
  }
  return points;
}

using Neighbors = std::vector<int>;

/// All as near as the last of the nearest. Equal points have equal distances to the last bit: they
/// are added up in one order of features.
Neighbors neighbors_of(const RowMatrix& points, Index point, int n_neighbors) {
  Eigen::ArrayXd squares = Eigen::ArrayXd::Zero(points.cols());
  for (Index f = 0; f < points.rows(); ++f) {
    squares += (points.row(f).transpose().array() - points(f, point)).square();
  }
  std::vector<double> others(squares.begin(), squares.end());
  others.erase(others.begin() + point);
  const auto last = others.begin() + (n_neighbors - 1);
  std::nth_element(others.begin(), last, others.end());
  Neighbors neighbors;
  for (Index i = 0; i < points.cols(); ++i) {
    if (i != point && squares[i] <= *last) neighbors.push_back(static_cast<int>(i));
  }
  return neighbors;
}

std::vector<Neighbors> all_neighbors(const RowMatrix& points, int n_neighbors,
                                     const Execution& execution) {
  std::vector<Neighbors> neighbors(static_cast<std::size_t>(points.cols()));
  for_each_chunk(points.cols(), execution, [&](Index point) {
    neighbors[static_cast<std::size_t>(point)] = neighbors_of(points, point, n_neighbors);
  });
  return neighbors;
}

/// The share of the second sample among the neighbours of every point.
std::vector<double> scores_of(const std::vector<Neighbors>& neighbors,
                              const Membership& is_second) {
  std::vector<double> scores;
  for (const Neighbors& own : neighbors) {
    Index count = 0;
    for (const int neighbor : own) count += is_second[static_cast<std::size_t>(neighbor)] ? 1 : 0;
    scores.push_back(static_cast<double>(count) / static_cast<double>(own.size()));
  }
  return scores;
}

/// Pairs of a point of each part in which the second's score is higher, ties by halves; counted in
/// whole numbers of halves.
double auc_of(const std::vector<double>& scores, const Membership& is_second) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  std::int64_t halves = 0;
  std::int64_t n_first = 0;
  std::int64_t n_second = 0;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    std::int64_t tied[2] = {0, 0};
    for (; end < order.size() && scores[order[end]] == scores[order[begin]]; ++end) {
      ++tied[is_second[order[end]] ? 1 : 0];
    }
    halves += tied[1] * (2 * n_first + tied[0]);
    n_first += tied[0];
    n_second += tied[1];
  }
  return 0.5 * static_cast<double>(halves) /
         (static_cast<double>(n_first) * static_cast<double>(n_second));
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
        static_cast<int>(std::lround(std::sqrt(static_cast<double>(n_first + n_second))));
  }
  const std::vector<Neighbors> neighbors =
      all_neighbors(standardized(first, second), result.n_neighbors, options.execution);
  std::vector<Membership> memberships =
      random_deals(n_first, n_second, options.n_permutations, options.seed);
  memberships.insert(memberships.begin(), membership_of(n_first, n_second));
  Vector aucs(std::ssize(memberships));
  for_each_chunk(aucs.size(), options.execution, [&](Index i) {
    const Membership& is_second = memberships[static_cast<std::size_t>(i)];
    aucs[i] = auc_of(scores_of(neighbors, is_second), is_second);
  });
  result.auc = aucs[0];
  result.null = null_of(aucs);
  return result;
}

}  // namespace lbw
