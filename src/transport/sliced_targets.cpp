// SPDX-License-Identifier: MIT
#include "transport/sliced_targets.hpp"

#include <algorithm>
#include <numeric>

#include "quantile/table_statistics.hpp"

namespace lbw {

namespace {

// Limits the stretch of a target, for images that have lost nearly all of their spread.
constexpr double largest_stretch = 2.0;

/// The formula of SlicedAxis for numbers or tables, one per group.
template <typename Value>
Value moved(const std::vector<Value>& own, const SlicedAxis& axis, std::size_t group) {
  const std::vector<double> shares = shares_of_counts(axis.sample_counts);
  Value pool = shares[0] * own[0];
  for (std::size_t h = 1; h < own.size(); ++h) pool += shares[h] * own[h];
  Value target = own[group] - (1.0 - axis.shrinkage[group]) * (own[group] - pool);
  for (std::size_t h = 0; h < own.size(); ++h) {
    const double weight = axis.barycentric_weights[h] * (1.0 - axis.shrinkage[h]);
    if (weight > 0.0) target += weight * (own[h] - pool);
  }
  return target;
}

/// Replaces the values by the mean of the nearest non-decreasing tables above and below.
void make_ascending(Vector& values) {
  if (std::is_sorted(values.begin(), values.end())) return;
  Vector above = values;
  Vector below = values;
  for (Index j = 1; j < values.size(); ++j) above[j] = std::max(above[j - 1], above[j]);
  for (Index j = values.size() - 2; j >= 0; --j) below[j] = std::min(below[j + 1], below[j]);
  values = 0.5 * (above + below);
}

/// The mean mass of atoms, by barycentric weights.
double mean_atom_mass(const SlicedAxis& axis) {
  double mass = 0.0;
  for (std::size_t h = 0; h < axis.tables.size(); ++h) {
    if (axis.barycentric_weights[h] == 0.0 || !(axis.sample_counts[h] > 0.0)) continue;
    mass += axis.barycentric_weights[h] * atom_mass(*axis.tables[h], axis.sample_counts[h]);
  }
  return std::min(1.0, mass);
}

/// The factor by which the target is stretched to compensate for atoms.
double stretch_of(const SlicedAxis& axis, std::size_t group, const QuantileTable& target) {
  const double atoms = mean_atom_mass(axis);
  if (atoms == 0.0) return 1.0;
  const double image = image_moments(*axis.tables[group], target).deviation;
  if (!(image > 0.0)) return 1.0;
  std::vector<double> deviations;
  for (const QuantileTable* table : axis.tables) {
    deviations.push_back(table_moments(*table).deviation);
  }
  const double expected =
      (1.0 - atoms) * table_moments(target).deviation + atoms * moved(deviations, axis, group);
  return std::clamp(expected / image, 1.0, largest_stretch);
}

}  // namespace

std::vector<double> shares_of_counts(std::span<const double> sample_counts) {
  const double largest = *std::max_element(sample_counts.begin(), sample_counts.end());
  std::vector<double> shares(sample_counts.size(), 1.0 / static_cast<double>(sample_counts.size()));
  if (!(largest > 0.0)) return shares;
  double sum = 0.0;
  for (const double count : sample_counts) sum += count / largest;
  for (std::size_t g = 0; g < shares.size(); ++g) shares[g] = sample_counts[g] / largest / sum;
  return shares;
}

QuantileTable sliced_target(const SlicedAxis& axis, std::size_t group) {
  const auto still = [&](std::size_t h) {
    return axis.shrinkage[h] == 1.0 || axis.barycentric_weights[h] == 0.0;
  };
  bool all_still = axis.shrinkage[group] == 1.0;
  for (std::size_t h = 0; h < axis.tables.size(); ++h) all_still = all_still && still(h);
  if (all_still) return *axis.tables[group];  // exactly
  std::vector<Vector> values;
  for (const QuantileTable* table : axis.tables) values.push_back(table->values);
  QuantileTable target{moved(values, axis, group)};
  make_ascending(target.values);
  const double stretch = stretch_of(axis, group, target);
  if (stretch > 1.0) {
    const double mean = table_moments(target).mean;
    target.values = (mean + stretch * (target.values.array() - mean)).matrix();
    make_ascending(target.values);  // removes effects of rounding
  }
  return target;
}

}  // namespace lbw
