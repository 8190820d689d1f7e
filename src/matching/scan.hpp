// SPDX-License-Identifier: MIT
// The loops over one row of costs that the assignment solver spends its time in, in the widest
// vector instructions of the machine. They only subtract and compare, and the lowest column wins
// among equals: every instruction set gives the same result.
#pragma once

#include <lbw/matrix.hpp>
#include <span>

namespace lbw {

struct Nearest {
  double length = 0.0;
  Index column = -1;  ///< -1 where every length is +infinity
};

/// lengths[j] = min(lengths[j], costs[j] - potentials[j] - offset), then the least of all lengths.
[[nodiscard]] Nearest relax(std::span<const double> costs, std::span<const double> potentials,
                            double offset, std::span<double> lengths);

struct TwoLeast {
  double least = 0.0;
  Index column = -1;    ///< of the least; -1 where all are +infinity
  double second = 0.0;  ///< equal to the least where it occurs twice
};

/// The two least of costs[j] - potentials[j].
[[nodiscard]] TwoLeast two_least(std::span<const double> costs, std::span<const double> potentials);

/// Where costs[j] < minima[j]: minima[j] = costs[j] and rows[j] = row. Rows are doubles, so that
/// they move with the minima.
void lower_minima(std::span<const double> costs, double row, std::span<double> minima,
                  std::span<double> rows);

struct Extent {
  double largest_magnitude = 0.0;  ///< of the finite values
  bool valid = true;               ///< no NaN and no -infinity
};

[[nodiscard]] Extent extent_of(std::span<const double> values);

}  // namespace lbw
