// SPDX-License-Identifier: MIT
// Monotone maps on the line: the scores of several groups to their barycenter.
#pragma once

#include <lbw/matrix.hpp>
#include <lbw/samples.hpp>
#include <lbw/types.hpp>
#include <span>
#include <vector>

namespace lbw {

/// Levels of a table unless another number is asked for: the shares of a distribution are then
/// known to 1/256.
inline constexpr int default_quantile_levels = 257;

/// A distribution on the line, as its quantile function: piecewise linear between equally spaced
/// levels. Equal neighbours are an atom, of the mass between their levels.
struct QuantileTable {
  /// (n_levels), 2 or more, never decreasing: values[j] is the quantile at level j / (n_levels -
  /// 1).
  Vector values;

  [[nodiscard]] Index n_levels() const { return values.size(); }
};

/// The quantile function of samples. A sample stands in the middle of the stretch of levels that it
/// weighs, and between two samples the function is linear (Hazen's rule). A value that occurs
/// several times is an atom, and flat in between.
///
/// A weight of 2 counts as the value twice. Weights whose sum is below Kish's effective sample size
/// (sum w)^2 / sum w^2, such as weights that sum to 1, are relative: their unit is then
/// sum w^2 / sum w.
///
/// @param values          at least one, finite, up to 1e100
/// @param sample_weights  empty, or one per value: finite, >= 0, not all 0
/// @param n_levels        >= 2
[[nodiscard]] QuantileTable quantile_table(std::span<const double> values,
                                           std::span<const double> sample_weights = {},
                                           int n_levels = default_quantile_levels);

/// The Wasserstein barycenter of distributions on the line: its quantile function is the weighted
/// mean of theirs, without any approximation.
///
/// @param tables               one or more, of one number of levels
/// @param barycentric_weights  one per table, finite, >= 0 and not all 0; divided by their sum
[[nodiscard]] QuantileTable mid_quantile(std::span<const QuantileTable> tables,
                                         std::span<const double> barycentric_weights);

/// The optimal map of one distribution onto another: a value's level in the source, then the
/// target's quantile at that level. It never decreases.
///
/// An atom of the source has many levels and goes to one place: to the mean of the target's
/// quantiles over these levels. A value beyond all that the source has is shifted as the end of the
/// source is (where the end is an atom: as values next to it would be).
struct QuantileMap {
  QuantileTable source;
  QuantileTable target;  ///< of as many levels
  double amount = 1.0;   ///< interpolation parameter: 0 is the identity
};

/// The samples of one group on the line, such as the scores of a classifier.
struct QuantileGroup {
  HeldSpan<double> values;               ///< owned if a temporary, else must outlive this
  HeldSpan<double> sample_weights = {};  ///< empty, or one per value; owned likewise
};

struct QuantileMapOptions {
  /// Weight of each group in the barycenter, divided by their sum; empty: equal.
  std::vector<double> barycentric_weights = {};
  /// Of all maps: interpolation parameter, from 0 to 1.
  double amount = 1.0;
  int n_levels = default_quantile_levels;
  Execution execution = {};
};

/// One map per group, to the barycenter of all: afterwards the groups have the same distribution,
/// to the resolution of the tables and but for atoms, which no map can split.
///
/// @param groups  one or more
[[nodiscard]] std::vector<QuantileMap> fit_quantile_maps(std::span<const QuantileGroup> groups,
                                                         const QuantileMapOptions& options = {});

/// Carries values, seen before or not.
///
/// @param values  finite, up to 1e100
[[nodiscard]] Vector apply_quantile_map(const QuantileMap& map, std::span<const double> values,
                                        const Execution& execution = {});

/// The same into memory that is there already, of as many values. It may be the values' own.
void apply_quantile_map_into(const QuantileMap& map, std::span<const double> values,
                             std::span<double> out, const Execution& execution = {});

}  // namespace lbw
