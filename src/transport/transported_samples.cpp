// SPDX-License-Identifier: MIT
#include "transport/transported_samples.hpp"

#include <cmath>
#include <limits>

#include "core/indexing.hpp"
#include "core/parallel.hpp"
#include "transport/fit_refinement.hpp"
#include "transport/sliced_targets.hpp"

namespace lbw {

namespace {

/// The sum of `term` over the values of feature f of all groups, with every group weighted by its
/// share.
template <typename Term>
double mean_over_groups(const std::vector<Transported>& groups, std::span<const double> shares,
                        Index f, const Term& term) {
  double mean = 0.0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].n_points == 0) continue;
    const std::vector<double>& weights = groups[g].weights;
    const double scale = weights.empty() ? 1.0 : sample_count(weights).scale;
    double sum = 0.0;
    double total = 0.0;
    for (Index i = 0; i < groups[g].n_points; ++i) {
      const double weight = weights.empty() ? 1.0 : scale * at(weights, i);
      sum += weight * term(groups[g].points(f, i));
      total += weight;
    }
    mean += shares[g] * sum / total;
  }
  return mean;
}

/// Values within `reach` of a center; by default all.
struct Range {
  double center = 0.0;
  double reach = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool contains(double value) const { return std::abs(value - center) <= reach; }
};

struct MeanAndDeviation {
  double mean = 0.0;
  double deviation = 0.0;  ///< standard deviation, 0 if it is no more than rounding
};

MeanAndDeviation moments_within(const Range& range, const std::vector<Transported>& groups,
                                std::span<const double> shares, Index f) {
  const auto mean_within = [&](const auto& term) {
    return mean_over_groups(groups, shares, f,
                            [&](double x) { return range.contains(x) ? term(x) : 0.0; });
  };
  const double mass = std::isinf(range.reach) ? 1.0 : mean_within([](double) { return 1.0; });
  if (!(mass > 0.0)) return {};
  const double mean = mean_within([](double x) { return x; }) / mass;
  const double variance = mean_within([&](double x) { return (x - mean) * (x - mean); }) / mass;
  const double deviation = std::sqrt(variance);
  const double rounding = 1e-14 * std::abs(mean);
  return {mean, deviation > rounding && deviation > 1e-290 ? deviation : 0.0};
}

/// The standard deviation of a feature, without values that are very far from all others.
double deviation_of(const std::vector<Transported>& groups, std::span<const double> shares,
                    Index f) {
  constexpr double most_deviations = 20.0;  // from the mean
  constexpr int most_rounds = 20;
  Range range;
  MeanAndDeviation moments = moments_within(range, groups, shares, f);
  for (int round = 0; round < most_rounds; ++round) {
    const Range nearer{moments.mean, most_deviations * moments.deviation};
    const double beyond = mean_over_groups(groups, shares, f, [&](double x) {
      return range.contains(x) && !nearer.contains(x) ? 1.0 : 0.0;
    });
    if (beyond == 0.0) break;
    range = nearer;
    const MeanAndDeviation without = moments_within(range, groups, shares, f);
    if (without.deviation == 0.0) break;  // most values are equal
    moments = without;
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
