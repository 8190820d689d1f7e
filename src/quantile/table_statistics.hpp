// SPDX-License-Identifier: MIT
// Statistics of quantile tables: moments, atoms, and distances with their expected noise.
#pragma once

#include <lbw/quantile.hpp>
#include <limits>
#include <span>
#include <vector>

namespace lbw {

struct TableMoments {
  double mean = 0.0;
  double deviation = 0.0;  ///< standard deviation
};

/// The exact moments of the piecewise linear quantile function.
[[nodiscard]] TableMoments table_moments(const QuantileTable& table);

/// The moments of the target's quantiles after each atom of the source is mapped to the mean over
/// its levels, as in QuantileMap.
[[nodiscard]] TableMoments image_moments(const QuantileTable& source, const QuantileTable& target);

/// The mass of the atoms of a table, that is of levels between equal neighbours. The constant ends
/// of the table, which Hazen's rule gives for n samples, are not atoms.
///
/// @param n_samples  > 0
[[nodiscard]] double atom_mass(const QuantileTable& table, double n_samples);

/// Distances of distributions from their mixture.
struct PoolDistances {
  std::vector<double> distances;  ///< integral of (F_g - F)^2, one per table
  /// Integral of F (1 - F): n times the expected distance of n samples of F.
  double noise = 0.0;
};

/// An interval of values.
struct ValueRange {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
};

/// Cramer's distances of all tables from their mixture F = sum of share_g F_g. They are valid for
/// atoms too and have the unit of the values.
///
/// @param tables  with the same number of levels
/// @param shares  one per table, >= 0, summing to 1
/// @param within  bounds of the integrals, values of the tables or infinite
[[nodiscard]] PoolDistances pool_distances(std::span<const QuantileTable* const> tables,
                                           std::span<const double> shares,
                                           const ValueRange& within = {});

}  // namespace lbw
