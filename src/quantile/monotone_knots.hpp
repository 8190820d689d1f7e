// SPDX-License-Identifier: MIT
// A quantile map as it is applied: made once, then used for any number of values.
#pragma once

#include <cstdint>
#include <lbw/quantile.hpp>
#include <span>
#include <vector>

namespace lbw {

/// Piecewise linear between the values of the source, with a jump at each of its atoms. It never
/// decreases, not by the last bit either: every operation rounds in one direction as its argument
/// grows.
class MonotoneKnots {
 public:
  /// @param map  that passed check_quantile_map
  explicit MonotoneKnots(const QuantileMap& map);

  /// Takes values through the map, in place.
  void apply(std::span<double> values) const;
  [[nodiscard]] double operator()(double value) const {
    apply({&value, 1});
    return value;
  }

 private:
  /// Where values of the source, and what lies after each, go: value -> base + slope (value -
  /// knot), but not beyond the limit. The first is for what lies before all knots.
  struct Piece {
    double knot = 0.0;
    double base = 0.0;
    double slope = 1.0;
    double limit = 0.0;
    double at_knot = 0.0;
  };

  void add_piece(double knot, const Vector& quantiles, Index first, Index last);
  void find_stretches();
  /// Which of equal stretches of the line a value lies in; those before and after belong to the
  /// first and the last. It never decreases.
  [[nodiscard]] std::size_t stretch_of(double value) const;
  /// How many knots are at `value` or before it.
  [[nodiscard]] std::size_t count_up_to(double value) const;

  std::vector<double> knots_;          ///< strictly increasing, and infinity
  std::vector<Piece> pieces_;          ///< by the number of knots up to a value
  std::vector<std::uint32_t> counts_;  ///< of the knots before each stretch, and of all
  double stretches_per_unit_ = 0.0;
  double last_stretch_ = 0.0;
  double amount_;
  double rest_;  ///< 1 - amount
};

}  // namespace lbw
