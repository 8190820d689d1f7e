// SPDX-License-Identifier: MIT
// A monotone map of numbers in the form in which it is applied, built once for any number of
// values.
#pragma once

#include <cstdint>
#include <lbw/matrix.hpp>
#include <span>
#include <vector>

#include "device/knot_kernels.hpp"

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
  void add_piece(double knot, const Vector& quantiles, Index first, Index last);
  /// Chooses the cells and counts the knots before each of them.
  void find_grid(std::span<const double> knots);
  /// The number of knots <= each value, from the cells of the values, in place.
  void count_knots(const double* values, Index count, std::uint32_t* cells) const;
  void apply_at_knots(const std::uint32_t* numbers, double* values, Index count) const;

  /// By the number of knots up to a value; then one whose knot is infinite. From the second on,
  /// they begin at their knots, which strictly increase.
  std::vector<KnotPiece> pieces_;
  /// The image of each piece's knot, if an atom or an infinite slope makes it differ from the base.
  std::vector<double> at_knots_;
  KnotGrid grid_;
  /// Twice the number of knots before each cell, plus 1 if the cell has several; then of all. Two
  /// bytes each keep them in the first-level cache. Empty if the knots are too many for that.
  std::vector<std::uint16_t> counts_;
  double amount_;
  double rest_;  ///< 1 - amount
};

}  // namespace lbw
