// SPDX-License-Identifier: MIT
// A quantile map as it is applied: made once, then used for any number of values.
#pragma once

#include <lbw/quantile_map.hpp>
#include <vector>

namespace lbw {

/// Piecewise linear between the values of the source, with a jump at each of its atoms. It never
/// decreases, not by the last bit either: every operation rounds in one direction as its argument
/// grows.
class MonotoneKnots {
 public:
  /// @param map  that passed check_quantile_map
  explicit MonotoneKnots(const QuantileMap& map);

  [[nodiscard]] double operator()(double value) const {
    return rest_ * value + amount_ * whole_way(value);
  }

 private:
  [[nodiscard]] double whole_way(double value) const;
  /// How many knots are at `value` or before it.
  [[nodiscard]] std::size_t count_up_to(double value) const;

  /// Where values before, at and after a value of the source go.
  struct Target {
    double before = 0.0;
    double at = 0.0;
    double after = 0.0;
  };

  [[nodiscard]] static Target target_of(const Vector& quantiles, Index first, Index last);

  std::vector<double> values_;  ///< strictly increasing
  std::vector<Target> targets_;
  double amount_;
  double rest_;  ///< 1 - amount
};

}  // namespace lbw
