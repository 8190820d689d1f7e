// SPDX-License-Identifier: MIT
// A monotone map of numbers in the form in which it is applied, built once for any number of
// values.
#pragma once

#include <cstdint>
#include <lbw/matrix.hpp>
#include <span>
#include <vector>

namespace lbw {

/// A map that is linear between the values of the source, with a jump at each atom. It is exactly
/// non-decreasing, because every operation rounds monotonically.
class MonotoneKnots {
 public:
  /// Sends the quantiles of the source, in ascending order, to those of the target. `amount` is the
  /// interpolation parameter of a partial map.
  MonotoneKnots(const Vector& source, const Vector& target, double amount);

  /// Maps values in place.
  void apply(std::span<double> values) const;
  [[nodiscard]] double operator()(double value) const {
    apply({&value, 1});
    return value;
  }

 private:
  /// The image of values from a knot to the next: value -> base + slope (value - knot), bounded by
  /// the limit. The first piece is for values before all knots.
  struct Piece {
    double knot = 0.0;
    double base = 0.0;
    double slope = 1.0;
    double limit = 0.0;
    double at_knot = 0.0;
  };

  void add_piece(double knot, const Vector& quantiles, Index first, Index last);
  void find_stretches();
  /// The index of the equal-width interval that contains a value; values outside belong to the
  /// first or last interval. It is non-decreasing.
  [[nodiscard]] std::size_t stretch_of(double value) const;
  /// The number of knots that are <= `value`.
  [[nodiscard]] std::size_t count_up_to(double value) const;

  std::vector<double> knots_;          ///< strictly increasing, then infinity
  std::vector<Piece> pieces_;          ///< by the number of knots up to a value
  std::vector<std::uint32_t> counts_;  ///< numbers of knots before each interval, then of all
  double origin_ = 0.0;                ///< where the equal-width intervals begin
  double stretches_per_unit_ = 0.0;
  double last_stretch_ = 0.0;
  double amount_;
  double rest_;  ///< 1 - amount
};

}  // namespace lbw
