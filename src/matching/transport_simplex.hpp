// SPDX-License-Identifier: MIT
// The transportation problem in whole numbers: nothing is rounded, so nothing has to be guarded
// against rounding.
#pragma once

#include <cstdint>
#include <lbw/types.hpp>
#include <vector>

namespace lbw {

/// 128 bits hold the digits of doubles over 67 powers of two of their ratio.
using WholeMass = __int128;
using WholeCosts = Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Costs up to 2^most_cost_bits keep the potentials of so many rows and columns within 64 bits.
[[nodiscard]] int most_cost_bits(Index n_rows, Index n_columns);
/// Masses may sum to 2^most_mass_bits.
[[nodiscard]] int most_mass_bits(Index n_rows);

struct WholeEntry {
  Index row = 0;
  Index column = 0;
  WholeMass mass = 0;
};

/// The entries of positive mass of an optimal plan, in no particular order.
///
/// @param cost            (n_rows, n_columns), from 0 to 2^most_cost_bits
/// @param row_masses      > 0, summing to at most 2^most_mass_bits
/// @param column_masses   > 0, of the same sum
[[nodiscard]] std::vector<WholeEntry> solve_transport(const WholeCosts& cost,
                                                      const std::vector<WholeMass>& row_masses,
                                                      const std::vector<WholeMass>& column_masses);

}  // namespace lbw
