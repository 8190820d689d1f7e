// SPDX-License-Identifier: MIT
// The transportation problem in integers, which avoids all rounding errors.
#pragma once

#include <cstdint>
#include <lbw/matrix.hpp>
#include <vector>

namespace lbw {

/// 128 bits hold all digits of doubles whose ratio is up to 2^67.
using WholeMass = __int128;
using WholeCosts = Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// 128-bit costs, row by row.
struct WideCosts {
  Index n_rows = 0;
  Index n_columns = 0;
  std::vector<__int128> values;

  [[nodiscard]] Index rows() const { return n_rows; }
  [[nodiscard]] Index cols() const { return n_columns; }
  [[nodiscard]] const __int128* row_data(Index row) const {
    return values.data() + row * n_columns;
  }
  [[nodiscard]] __int128 operator()(Index row, Index column) const { return row_data(row)[column]; }
};

/// Costs up to 2^most_cost_bits keep the potentials of that many rows and columns within 64 bits.
[[nodiscard]] int most_cost_bits(Index n_rows, Index n_columns);
/// The same for wide costs and 128 bits.
[[nodiscard]] int most_wide_cost_bits(Index n_rows, Index n_columns);
/// Masses may sum to 2^most_mass_bits.
[[nodiscard]] int most_mass_bits(Index n_rows);

struct WholeEntry {
  Index row = 0;
  Index column = 0;
  WholeMass mass = 0;
};

/// A plan of the simplex method: every arc of a spanning tree, with masses in the internal unit.
struct TransportTree {
  std::vector<WholeEntry> arcs;
};

/// A tree of an optimal plan.
///
/// @param cost            (n_rows, n_columns), from 0 to 2^most_cost_bits
/// @param row_masses      > 0, summing to at most 2^most_mass_bits
/// @param column_masses   > 0, of the same sum
[[nodiscard]] TransportTree solve_transport(const WholeCosts& cost,
                                            const std::vector<WholeMass>& row_masses,
                                            const std::vector<WholeMass>& column_masses);

/// The same for wide costs, starting from a tree that is optimal for costs of fewer digits. Usually
/// it is optimal for all digits too; otherwise a few steps are sufficient.
[[nodiscard]] TransportTree improve_transport(const WideCosts& cost, const TransportTree& start);

/// The entries of positive mass of a plan, in no particular order.
[[nodiscard]] std::vector<WholeEntry> entries_of(const TransportTree& tree, Index n_rows);

}  // namespace lbw
