// SPDX-License-Identifier: MIT
// Monotone maps on the line, for example of the scores of several groups to their barycenter.
#pragma once

#include <lbw/matrix.hpp>
#include <lbw/samples.hpp>
#include <lbw/types.hpp>
#include <span>
#include <vector>

namespace lbw {

/// The default number of levels of a table, which gives a resolution of 1/256 in probability.
inline constexpr int default_quantile_levels = 257;

/// A distribution on the line, given by its quantile function, which is linear between equally
/// spaced levels. Equal neighbours are an atom whose mass is the difference of their levels.
struct QuantileTable {
  /// (n_levels), at least 2, non-decreasing: values[j] is the quantile at level j / (n_levels - 1).
  Vector values;

  [[nodiscard]] Index n_levels() const { return values.size(); }
};

/// The quantile function of samples. Each sample is at the middle of its interval of levels, and
/// the function is linear between samples (Hazen's rule). A repeated value is an atom, where the
/// function is constant.
///
/// A weight of 2 is equivalent to two copies of the value. If the sum of the weights is below
/// Kish's effective sample size (sum w)^2 / sum w^2, for instance if they sum to 1, they are
/// treated as relative, in units of sum w^2 / sum w.
///
/// @param values          at least one, finite, up to 1e100
/// @param sample_weights  empty, or one per value: finite, >= 0, not all 0
/// @param n_levels        >= 2
[[nodiscard]] QuantileTable quantile_table(std::span<const double> values,
                                           std::span<const double> sample_weights = {},
                                           int n_levels = default_quantile_levels);

/// The Wasserstein barycenter of distributions on the line: its quantile function is the weighted
/// mean of theirs, without approximation.
///
/// @param tables               one or more, with the same number of levels
/// @param barycentric_weights  one per table, finite, >= 0 and not all 0; divided by their sum
[[nodiscard]] QuantileTable mid_quantile(std::span<const QuantileTable> tables,
                                         std::span<const double> barycentric_weights);

/// The optimal map from one distribution to another: the target's quantile at the value's level in
/// the source. It is non-decreasing.
///
/// An atom of the source has many levels and is mapped to the mean of the target's quantiles over
/// them. A value outside the range of the source is shifted like the end of the source (if the end
/// is an atom, like values next to it).
struct QuantileMap {
  QuantileTable source;
  QuantileTable target;  ///< with the same number of levels
  double amount = 1.0;   ///< interpolation parameter: 0 is the identity
};

/// The samples of one group on the line, such as the scores of a classifier.
struct QuantileGroup {
  HeldSpan<double> values;               ///< owned if a temporary; otherwise must outlive this
  HeldSpan<double> sample_weights = {};  ///< empty, or one per value; same ownership
};

struct QuantileMapOptions {
  /// Weight of each group in the barycenter, divided by their sum; empty means equal weights.
  std::vector<double> barycentric_weights = {};
  /// Interpolation parameter of all maps, from 0 to 1.
  double amount = 1.0;
  int n_levels = default_quantile_levels;
  Execution execution = {};
};

/// Fits one map per group, to the barycenter of all groups. The transported groups have the same
/// distribution, up to the resolution of the tables and except for atoms, which no map can split.
///
/// @param groups  one or more
[[nodiscard]] std::vector<QuantileMap> fit_quantile_maps(std::span<const QuantileGroup> groups,
                                                         const QuantileMapOptions& options = {});

/// Transports values, including out-of-sample values.
///
/// @param values  finite, up to 1e100
[[nodiscard]] Vector apply_quantile_map(const QuantileMap& map, std::span<const double> values,
                                        const Execution& execution = {});

/// The same with the result written to `out`, of the same size, which may be the memory of the
/// values.
void apply_quantile_map_into(const QuantileMap& map, std::span<const double> values,
                             std::span<double> out, const Execution& execution = {});

}  // namespace lbw
