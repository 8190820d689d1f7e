// SPDX-License-Identifier: MIT
// What tables say about their distributions: moments, atoms, and distances with their noise.
#pragma once

#include <lbw/quantile.hpp>
#include <span>
#include <vector>

namespace lbw {

struct TableMoments {
  double mean = 0.0;
  double deviation = 0.0;  ///< standard deviation
};

/// Exact for the quantile function, which is linear between levels.
[[nodiscard]] TableMoments table_moments(const QuantileTable& table);

/// The moments of a target's quantiles after each atom of the source has taken the mean of its
/// levels, as QuantileMap does.
[[nodiscard]] TableMoments image_moments(const QuantileTable& source, const QuantileTable& target);

/// The mass of a table's atoms: of levels between equal neighbours. What one of n samples weighs at
/// either end is no atom: tables are flat there by Hazen's rule.
///
/// @param n_samples  > 0
[[nodiscard]] double atom_mass(const QuantileTable& table, double n_samples);

/// Distances of distributions from what they are together.
struct PoolDistances {
  std::vector<double> distances;  ///< integral of (F_g - F)^2, one per table
  /// Integral of F (1 - F): n times what is to be expected of the distance of n samples of F.
  double noise = 0.0;
};

/// Cramer's distances of all tables from F = sum of share_g F_g, their mixture. They hold for atoms
/// too, and have the unit of the values.
///
/// @param tables  of one number of levels
/// @param shares  one per table, >= 0, summing to 1
[[nodiscard]] PoolDistances pool_distances(std::span<const QuantileTable* const> tables,
                                           std::span<const double> shares);

}  // namespace lbw
