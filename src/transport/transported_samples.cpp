// SPDX-License-Identifier: MIT
#include "transport/transported_samples.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/indexing.hpp"
#include "core/parallel.hpp"
#include "transport/fit_refinement.hpp"
#include "transport/sliced_targets.hpp"

namespace lbw {

namespace {

/// The mean of `term` over the values of feature f of a group; 0 for a kept group.
template <typename Term>
double mean_over_group(const Transported& group, Index f, const Term& term) {
  if (group.n_points == 0) return 0.0;
  const std::vector<double>& weights = group.weights;
  const double scale = weights.empty() ? 1.0 : sample_count(weights).scale;
  double sum = 0.0;
  double total = 0.0;
  for (Index i = 0; i < group.n_points; ++i) {
    const double weight = weights.empty() ? 1.0 : scale * at(weights, i);
    sum += weight * term(group.points(f, i));
    total += weight;
  }
  return sum / total;
}

/// The same over all groups, with every group weighted by its share.
template <typename Term>
double mean_over_groups(const std::vector<Transported>& groups, std::span<const double> shares,
                        Index f, const Term& term) {
  double mean = 0.0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    mean += shares[g] * mean_over_group(groups[g], f, term);
  }
  return mean;
}

double dot(std::span<const double> shares, const std::vector<double>& values) {
  return std::inner_product(shares.begin(), shares.end(), values.begin(), 0.0);
}

/// Values within `reach` of the center of their group; by default all.
struct Range {
  std::vector<double> centers;
  double reach = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool contains(std::size_t group, double value) const {
    return std::isinf(reach) || std::abs(value - centers[group]) <= reach;
  }
};

struct MeansAndDeviation {
  std::vector<double> means;  ///< one per group
  double deviation = 0.0;     ///< about them, 0 if it is no more than rounding
};

double beyond_rounding(double deviation, double mean) {
  const double rounding = 1e-14 * std::abs(mean);
  return deviation > rounding && deviation > 1e-290 ? deviation : 0.0;
}

MeansAndDeviation moments_within(const Range& range, const std::vector<Transported>& groups,
                                 std::span<const double> shares, Index f) {
  std::vector<double> masses(groups.size(), 0.0);
  std::vector<double> sums(groups.size(), 0.0);
  const auto add_up = [&](std::vector<double>& totals, const auto& term) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      totals[g] = mean_over_group(
          groups[g], f, [&](double x) { return range.contains(g, x) ? term(g, x) : 0.0; });
    }
  };
  add_up(masses, [](std::size_t, double) { return 1.0; });
  add_up(sums, [](std::size_t, double x) { return x; });
  MeansAndDeviation result{std::vector<double>(groups.size(), 0.0)};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (masses[g] > 0.0) result.means[g] = sums[g] / masses[g];
  }
  std::vector<double> squares(groups.size(), 0.0);
  add_up(squares, [&](std::size_t g, double x) {
    const double offset = x - result.means[g];
    return offset * offset;
  });
  const double mass = dot(shares, masses);
  if (!(mass > 0.0)) return result;
  result.deviation =
      beyond_rounding(std::sqrt(dot(shares, squares) / mass), dot(shares, result.means));
  return result;
}

/// The deviation of the means of the groups, which is that of all samples if every group is
/// constant.
double deviation_between(const std::vector<double>& means, std::span<const double> shares) {
  const double mean = dot(shares, means);
  double variance = 0.0;
  for (std::size_t g = 0; g < means.size(); ++g) {
    variance += shares[g] * (means[g] - mean) * (means[g] - mean);
  }
  return beyond_rounding(std::sqrt(variance), mean);
}

/// The standard deviation of a feature about the means of the groups, without values that are very
/// far from all others of their group.
double deviation_of(const std::vector<Transported>& groups, std::span<const double> shares,
                    Index f) {
  constexpr double most_deviations = 20.0;  // from the mean
  constexpr int most_rounds = 20;
  Range range;
  MeansAndDeviation moments = moments_within(range, groups, shares, f);
  if (moments.deviation == 0.0) return deviation_between(moments.means, shares);
  for (int round = 0; round < most_rounds; ++round) {
    const Range nearer{moments.means, most_deviations * moments.deviation};
    double beyond = 0.0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      beyond += mean_over_group(groups[g], f, [&](double x) {
        return range.contains(g, x) && !nearer.contains(g, x) ? 1.0 : 0.0;
      });
    }
    if (beyond == 0.0) break;
    range = nearer;
    MeansAndDeviation without = moments_within(range, groups, shares, f);
    if (without.deviation == 0.0) break;  // most values are equal
    moments = std::move(without);
  }
  return moments.deviation;
}

}  // namespace

Spread measured_spread(const std::vector<Transported>& groups,
                       std::span<const double> sample_counts, Index n_features,
                       const Execution& execution) {
  constexpr double work_of_an_entry = 15.0;
  const std::vector<double> shares = shares_of_counts(sample_counts);
  double work = 0.0;
  for (const Transported& group : groups) {
    work += work_of_an_entry * static_cast<double>(group.points.size());
  }
  Vector deviations(n_features);
  for_each_chunk(n_features, threads_worth(work, execution),
                 [&](Index f) { deviations[f] = deviation_of(groups, shares, f); });
  Spread spread{(deviations.array() > 0.0).select(deviations, 1.0), {}};
  for (const double deviation : deviations) spread.varies.push_back(deviation > 0.0);
  return spread;
}

bool have_heavy_tails(const std::vector<Transported>& groups, std::span<const double> sample_counts,
                      Index n_features) {
  const std::vector<double> shares = shares_of_counts(sample_counts);
  for (Index f = 0; f < n_features; ++f) {
    const double mean = mean_over_groups(groups, shares, f, [](double x) { return x; });
    const auto square = [&](double x) { return (x - mean) * (x - mean); };
    const double variance = mean_over_groups(groups, shares, f, square);
    if (!(variance > 0.0)) continue;
    const auto fourth = [&](double x) { return square(x) / variance * (square(x) / variance); };
    if (mean_over_groups(groups, shares, f, fourth) > heavy_kurtosis) return true;
  }
  return false;
}

}  // namespace lbw
