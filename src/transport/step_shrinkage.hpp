// SPDX-License-Identifier: MIT
// How much of what a sliced step sees is sampling noise.
#pragma once

#include <lbw/quantile.hpp>
#include <span>
#include <vector>

namespace lbw {

using AxisTables = std::vector<QuantileTable>;  ///< of one group, one per axis

/// The fraction a_g of every group's difference from all samples that is attributed to sampling
/// noise. With n_g samples of N in all, Cramer's distance D_gf of group g along axis f is expected
/// to be (1 / n_g - 1 / N) v_f where groups have one distribution, v_f the integral of F (1 - F).
/// With e = 1 / n_g - 1 / N and s the mean over f of D_gf / v_f,
///
///   a_g = min(1, (c e / s)^4), c = (1 - m) min(1, 5 / sqrt(samples of the smallest group)) + m l
///
/// where m is the mass of atoms, on average over the axes, and l the noise_limit of atoms with a
/// degree of freedom per axis.
/// Groups without samples have a_g = 1.
[[nodiscard]] std::vector<double> step_shrinkage(const std::vector<AxisTables>& tables,
                                                 std::span<const double> sample_counts);

/// Whether the groups may be samples of one distribution: on average over the axes Cramer's
/// distance of every group is within the noise_limit, and on none it is beyond that of one test in
/// a thousand.
[[nodiscard]] bool are_alike(const std::vector<AxisTables>& tables,
                             std::span<const double> sample_counts);

/// The same for every axis by itself, at one test in a thousand.
[[nodiscard]] std::vector<bool> alike_axes(const std::vector<AxisTables>& tables,
                                           std::span<const double> sample_counts);

/// Makes the tables of a group of n samples linear between 4 sqrt(n) levels at most, a power of
/// two, so that several samples lie between two of them. Tables with atoms stay as they are, and so
/// do the ends before the first and after the last of these levels, since tails are not linear.
void smooth_tables(std::vector<AxisTables>& tables, std::span<const double> sample_counts);

/// Replaces the ends of tables, beyond the first and the last sample or the last level, by those of
/// all samples together, shifted to join: the range of few samples says little about their
/// distribution, and a difference is extrapolated as a constant shift.
void extend_ends(std::vector<AxisTables>& tables, std::span<const double> sample_counts);

}  // namespace lbw
