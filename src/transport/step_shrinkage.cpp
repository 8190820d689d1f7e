// SPDX-License-Identifier: MIT
#include "transport/step_shrinkage.hpp"

#include <algorithm>
#include <cmath>

#include "quantile/table_statistics.hpp"
#include "transport/noise_fraction.hpp"
#include "transport/sliced_targets.hpp"

namespace lbw {

namespace {

// Of Cramer's distance: twice its squared mean over its variance, about (2.5 of uniform samples).
constexpr double degrees_an_axis = 2.0;

/// The levels at either end that are replaced: those up to one sample from the end, at least one
/// and fewer than half of all.
Index end_levels(double n_samples, Index n_levels) {
  const auto last = static_cast<double>(n_levels - 1);
  const double levels = std::ceil(last / n_samples);
  return static_cast<Index>(std::clamp(levels, 1.0, std::floor(0.5 * last)));
}

void extend_ends(QuantileTable& table, const Vector& pool, double n_samples) {
  const Index n_levels = table.n_levels();
  if (n_levels < 4) return;
  const Index count = end_levels(n_samples, n_levels);
  const Index last = n_levels - 1 - count;
  const double low = table.values[count];
  const double high = table.values[last];
  for (Index j = 0; j < count; ++j) {
    table.values[j] = std::min(low, low + (pool[j] - pool[count]));
    const Index k = n_levels - 1 - j;
    table.values[k] = std::max(high, high + (pool[k] - pool[last]));
  }
}

}  // namespace

std::vector<double> step_shrinkage(const std::vector<AxisTables>& tables,
                                   std::span<const double> sample_counts) {
  const std::vector<double> shares = shares_of_counts(sample_counts);
  std::vector<double> seen(tables.size(), 0.0);  // in units of the noise of one sample
  double n_axes = 0.0;
  for (std::size_t f = 0; f < tables.front().size(); ++f) {
    std::vector<const QuantileTable*> axis;
    for (const AxisTables& group : tables) axis.push_back(&group[f]);
    const PoolDistances pool = pool_distances(axis, shares);
    if (!(pool.noise > 0.0)) continue;
    n_axes += 1.0;
    for (std::size_t g = 0; g < tables.size(); ++g) seen[g] += pool.distances[g] / pool.noise;
  }
  std::vector<double> shrinkage(tables.size(), 1.0);
  for (std::size_t g = 0; g < tables.size(); ++g) {
    const double noise = n_axes * (1.0 - shares[g]);  // both times n_g
    const double signal = seen[g] * sample_counts[g];
    if (n_axes > 0.0) shrinkage[g] = noise_fraction(noise, signal, degrees_an_axis * n_axes);
  }
  return shrinkage;
}

void extend_ends(std::vector<AxisTables>& tables, std::span<const double> sample_counts) {
  const std::vector<double> shares = shares_of_counts(sample_counts);
  for (std::size_t f = 0; f < tables.front().size(); ++f) {
    Vector pool = Vector::Zero(tables.front()[f].n_levels());
    for (std::size_t g = 0; g < tables.size(); ++g) pool += shares[g] * tables[g][f].values;
    for (std::size_t g = 0; g < tables.size(); ++g) {
      if (sample_counts[g] > 0.0) extend_ends(tables[g][f], pool, sample_counts[g]);
    }
  }
}

}  // namespace lbw
