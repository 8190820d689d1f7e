// SPDX-License-Identifier: MIT
#include "transport/step_shrinkage.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "quantile/table_statistics.hpp"
#include "transport/noise_fraction.hpp"
#include "transport/sliced_targets.hpp"

namespace lbw {

namespace {

// Differences up to the expected noise are not corrected. If the smallest group has more samples
// than this, the limit decreases with the square root of their number: noise then moves samples
// only slightly, and parity matters more.
constexpr double large_group = 25.0;

// The maximum number of knots for n samples is this times sqrt(n). A full table has n / 256 samples
// between levels; their random spacing would be reproduced by the map, where a classifier with many
// new samples could detect it.
constexpr double knots_per_root = 4.0;

// 99.9 % quantile of the Cramer-von Mises statistic, in multiples of its mean.
constexpr double once_in_a_thousand = 7.0;

double mean_atom_mass(std::span<const QuantileTable* const> axis,
                      std::span<const double> sample_counts, std::span<const double> shares) {
  double mass = 0.0;
  for (std::size_t g = 0; g < axis.size(); ++g) {
    if (sample_counts[g] > 0.0) mass += shares[g] * atom_mass(*axis[g], sample_counts[g]);
  }
  return std::min(1.0, mass);
}

/// 1 up to `noise`. Above, it decreases fast, because an uncorrected difference that many samples
/// show costs parity.
double fraction_of_noise(double noise, double seen) {
  if (!(seen > noise)) return 1.0;
  const double square = (noise / seen) * (noise / seen);
  return square * square;
}

/// The number of levels at either end that are replaced: those within one sample of the end, at
/// least one and fewer than half of all.
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
  for (Index j = 1; j < n_levels; ++j) {  // rounding may make the pooled table decrease slightly
    table.values[j] = std::max(table.values[j - 1], table.values[j]);
  }
}

/// The distances of groups from all samples, relative to those expected of one distribution.
struct Differences {
  std::vector<double> mean;     ///< one per group, mean over the axes
  std::vector<double> largest;  ///< one per group, maximum over the axes
  double atom_mass = 0.0;       ///< mean over the axes
  double n_axes = 0.0;          ///< number of axes on which samples differ
};

/// The values of a table that a step can correct: those between the ends that extend_ends replaces,
/// without values that are very far from the median.
ValueRange inner_range(const QuantileTable& table, double n_samples) {
  constexpr double most_units = 20.0;  // scales of a refinement, or halves of the inner range
  const Vector& values = table.values;
  const Index n_segments = table.n_levels() - 1;
  if (n_segments < 3) return {};
  const double median = values[n_segments / 2];
  const double spread = values[n_segments - n_segments / 8] - values[n_segments / 8];
  const double reach = most_units * std::max(1.0, 0.5 * spread);
  Index first = end_levels(n_samples, table.n_levels());
  Index last = n_segments - first;
  while (values[first] < median - reach) ++first;
  while (values[last] > median + reach) --last;
  return {values[first], values[last]};
}

/// The values that steps can correct in some group.
ValueRange inner_range(std::span<const QuantileTable* const> axis,
                       std::span<const double> sample_counts) {
  ValueRange range{std::numeric_limits<double>::infinity(),
                   -std::numeric_limits<double>::infinity()};
  for (std::size_t g = 0; g < axis.size(); ++g) {
    if (!(sample_counts[g] > 0.0)) continue;
    const ValueRange own = inner_range(*axis[g], sample_counts[g]);
    range.lowest = std::min(range.lowest, own.lowest);
    range.highest = std::max(range.highest, own.highest);
  }
  return range;
}

enum class Ends : std::uint8_t { count, do_not_count };

Differences differences_of(const std::vector<AxisTables>& tables,
                           std::span<const double> sample_counts, Ends ends = Ends::count) {
  const std::vector<double> shares = shares_of_counts(sample_counts);
  Differences result{std::vector<double>(tables.size(), 0.0),
                     std::vector<double>(tables.size(), 0.0)};
  for (std::size_t f = 0; f < tables.front().size(); ++f) {
    std::vector<const QuantileTable*> axis;
    for (const AxisTables& group : tables) axis.push_back(&group[f]);
    const ValueRange within = ends == Ends::count ? ValueRange{} : inner_range(axis, sample_counts);
    const PoolDistances pool = pool_distances(axis, shares, within);
    if (!(pool.noise > 0.0)) continue;
    result.n_axes += 1.0;
    result.atom_mass += mean_atom_mass(axis, sample_counts, shares);
    for (std::size_t g = 0; g < tables.size(); ++g) {
      if (!(shares[g] < 1.0) || !(sample_counts[g] > 0.0)) continue;
      const double expected = (1.0 - shares[g]) * pool.noise / sample_counts[g];
      const double difference = pool.distances[g] / expected;
      result.mean[g] += difference;
      result.largest[g] = std::max(result.largest[g], difference);
    }
  }
  if (result.n_axes == 0.0) return result;
  for (double& mean : result.mean) mean /= result.n_axes;
  result.atom_mass /= result.n_axes;
  return result;
}

/// The number of neighbouring levels that are merged: a power of two that divides their number.
Index levels_per_knot(double n_samples, Index n_segments) {
  const double knots = knots_per_root * std::sqrt(n_samples);
  Index levels = 1;
  while (n_segments % (2 * levels) == 0 &&
         static_cast<double>(n_segments) > knots * static_cast<double>(levels)) {
    levels *= 2;
  }
  return levels;
}

void smooth_table(QuantileTable& table, double n_samples) {
  const Index n_segments = table.n_levels() - 1;
  const Index width = levels_per_knot(n_samples, n_segments);
  if (width == 1 || atom_mass(table, n_samples) > 0.0) return;
  for (Index begin = width; begin < n_segments - width; begin += width) {  // except the tails
    const double first = table.values[begin];
    const double last = table.values[begin + width];
    for (Index j = 1; j < width; ++j) {
      const double share = static_cast<double>(j) / static_cast<double>(width);
      table.values[begin + j] = first + share * (last - first);
    }
  }
}

}  // namespace

std::vector<double> step_shrinkage(const std::vector<AxisTables>& tables,
                                   std::span<const double> sample_counts) {
  const Differences differences = differences_of(tables, sample_counts, Ends::do_not_count);
  double smallest = std::numeric_limits<double>::infinity();
  for (const double count : sample_counts) {
    if (count > 0.0) smallest = std::min(smallest, count);
  }
  const double atoms = differences.atom_mass;
  const double limit = (1.0 - atoms) * std::sqrt(std::min(1.0, large_group / smallest)) +
                       atoms * noise_limit(differences.n_axes, 1.0);
  std::vector<double> shrinkage(tables.size(), 1.0);
  for (std::size_t g = 0; g < tables.size(); ++g) {
    if (differences.n_axes > 0.0) shrinkage[g] = fraction_of_noise(limit, differences.mean[g]);
  }
  return shrinkage;
}

std::vector<bool> alike_axes(const std::vector<AxisTables>& tables,
                             std::span<const double> sample_counts) {
  std::vector<bool> alike;
  for (std::size_t f = 0; f < tables.front().size(); ++f) {
    std::vector<AxisTables> axis;
    for (const AxisTables& group : tables) axis.push_back({group[f]});
    const std::vector<double> differences = differences_of(axis, sample_counts).largest;
    alike.push_back(std::ranges::max(differences) <= once_in_a_thousand);
  }
  return alike;
}

bool are_alike(const std::vector<AxisTables>& tables, std::span<const double> sample_counts) {
  const Differences differences = differences_of(tables, sample_counts);
  if (differences.n_axes == 0.0) return true;
  const double limit = noise_limit(differences.n_axes, differences.atom_mass);
  const double axis_limit = std::max(once_in_a_thousand, limit);
  for (std::size_t g = 0; g < tables.size(); ++g) {
    if (differences.mean[g] > limit || differences.largest[g] > axis_limit) return false;
  }
  return true;
}

void smooth_tables(std::vector<AxisTables>& tables, std::span<const double> sample_counts) {
  for (std::size_t g = 0; g < tables.size(); ++g) {
    for (QuantileTable& table : tables[g]) {
      if (sample_counts[g] > 0.0) smooth_table(table, sample_counts[g]);
    }
  }
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
