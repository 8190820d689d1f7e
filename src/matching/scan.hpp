// SPDX-License-Identifier: MIT
// The inner loops of the assignment solver over one row of costs, in the widest vector instructions
// of the machine. They only subtract and compare, and ties go to the lowest column, so every
// instruction set gives the same result.
#pragma once

#include <lbw/matrix.hpp>
#include <limits>
#include <span>

namespace lbw {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Index none = -1;  ///< no row, column or node

struct Nearest {
  double length = 0.0;
  Index column = none;  ///< none if every length is +infinity
};

/// lengths[j] = min(lengths[j], costs[j] - potentials[j] - offset); returns the least length.
[[nodiscard]] Nearest relax(std::span<const double> costs, std::span<const double> potentials,
                            double offset, std::span<double> lengths);

struct TwoLeast {
  double least = 0.0;
  Index column = none;  ///< of the least value; none if all are +infinity
  double second = 0.0;  ///< equal to the least value if it occurs twice
};

/// The two least values of costs[j] - potentials[j].
[[nodiscard]] TwoLeast two_least(std::span<const double> costs, std::span<const double> potentials);

/// If costs[j] < minima[j], sets minima[j] = costs[j] and rows[j] = row. Rows are stored as doubles
/// to match the vector lanes of the minima.
void lower_minima(std::span<const double> costs, double row, std::span<double> minima,
                  std::span<double> rows);

struct Extent {
  double largest_magnitude = 0.0;  ///< of the finite values
  bool valid = true;               ///< no NaN and no -infinity
};

[[nodiscard]] Extent extent_of(std::span<const double> values);

}  // namespace lbw
