// SPDX-License-Identifier: MIT
// The fraction of differences in a sliced step that is sampling noise.
#pragma once

#include <lbw/quantile.hpp>
#include <span>
#include <vector>

namespace lbw {

using AxisTables = std::vector<QuantileTable>;  ///< of one group, one per axis

/// The fraction a_g of every group's difference from all samples that is attributed to sampling
/// noise. With n_g of N samples, the expected Cramer distance D_gf of group g along axis f is (1 /
/// n_g - 1 / N) v_f if all groups have the same distribution, where v_f is the integral of F (1 -
/// F). With e = 1 / n_g - 1 / N and s the mean over f of D_gf / v_f,
///
///   a_g = min(1, (c e / s)^4), c = (1 - m) min(1, 5 / sqrt(samples of the smallest group)) + m l
///
/// where m is the mean mass of atoms over the axes, and l the noise_limit of atoms with one degree
/// of freedom per axis. Groups without samples have a_g = 1. Both integrals end where the last
/// cells of the tables begin, which extend_ends replaces, and before values that are very far from
/// the medians: a single such value would count as a difference that no step removes, and all steps
/// would fit the noise of the others.
[[nodiscard]] std::vector<double> step_shrinkage(const std::vector<AxisTables>& tables,
                                                 std::span<const double> sample_counts);

/// Whether the groups may be samples of the same distribution: the mean of Cramer's distance over
/// the axes is within the noise_limit for every group, and the distance does not exceed its 99.9 %
/// quantile on any axis.
[[nodiscard]] bool are_alike(const std::vector<AxisTables>& tables,
                             std::span<const double> sample_counts);

/// The same for every axis separately, at a significance level of 0.1 %.
[[nodiscard]] std::vector<bool> alike_axes(const std::vector<AxisTables>& tables,
                                           std::span<const double> sample_counts);

/// Makes the tables of a group of n samples linear between at most 4 sqrt(n) levels, a power of
/// two, so that several samples lie between neighbouring levels. Tables with atoms do not change,
/// nor do the ends before the first and after the last of these levels, because tails are not
/// linear.
void smooth_tables(std::vector<AxisTables>& tables, std::span<const double> sample_counts);

/// Replaces the ends of tables, beyond the first and last sample or level, by those of all samples,
/// shifted to join. The range of few samples says little about their distribution, and differences
/// are extrapolated as a constant shift.
void extend_ends(std::vector<AxisTables>& tables, std::span<const double> sample_counts);

}  // namespace lbw
