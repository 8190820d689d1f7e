// SPDX-License-Identifier: MIT
// Sliced steps as they are applied: made once, then used for any number of batches.
#pragma once

#include <lbw/fit_transport.hpp>
#include <span>

#include "quantile/monotone_knots.hpp"

namespace lbw {

/// The matrix that divides features by their scales, then rotates; no scales: 1.
[[nodiscard]] Matrix rotation_of_scaled(const Matrix& rotation, const Vector& scales);

/// Where a point goes depends on the point, never on its neighbours in memory, so that equal points
/// stay equal and batches do not matter.
class Refiner {
 public:
  /// @param steps  rotations and maps that were checked; steps that move nothing are left out, so
  ///               that points keep their last bits
  explicit Refiner(std::span<const SlicedStep> steps);

  /// Whether there were no steps, not even steps that move nothing.
  [[nodiscard]] bool empty() const { return empty_; }

  /// Takes points through all steps, in place.
  void carry(Eigen::Ref<RowMatrix> points, const Execution& execution) const;

 private:
  struct Step {
    Matrix rotation;  ///< of points in their own units: the scales are part of it
    Matrix inverse;
    std::vector<MonotoneKnots> axes;
  };

  /// The points are the columns, filled up for turn_points; `turned` is of the same shape, for
  /// coordinates along the axes.
  void carry_block(RowMatrix& points, RowMatrix& turned) const;
  /// Multiply-adds of a point, about.
  [[nodiscard]] double work() const;

  std::vector<Step> steps_;
  bool empty_;
};

}  // namespace lbw
