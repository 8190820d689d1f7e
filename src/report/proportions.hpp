// SPDX-License-Identifier: MIT
// Confidence limits of proportions, and the normal distribution.
#pragma once

#include <lbw/parity.hpp>
#include <vector>

namespace lbw {

/// The value that a standard normal variable exceeds with this probability, from 0 to 0.5.
[[nodiscard]] double normal_deviations(double probability);

/// Limits of a proportion of `n_rows`, each with the error probability `tail`: Wilson's, and exact
/// ones (Clopper and Pearson) for fewer than 50 rows, where Wilson's cover too rarely.
class ProportionLimits {
 public:
  ProportionLimits(Index n_rows, double tail);

  [[nodiscard]] Interval at(double share) const;

 private:
  double n_rows_;
  double square_;                // z^2 / n_rows
  std::vector<Interval> exact_;  // by the number of rows that pass; empty for Wilson's
};

}  // namespace lbw
