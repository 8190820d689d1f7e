// SPDX-License-Identifier: MIT
// Sliced steps in the form in which they are applied, built once for any number of batches.
#pragma once

#include <lbw/fit_transport.hpp>
#include <span>

#include "quantile/monotone_knots.hpp"

namespace lbw {

/// The matrix that divides features by their scales and then rotates; empty scales mean 1.
[[nodiscard]] Matrix rotation_of_scaled(const Matrix& rotation, const Vector& scales);

/// The image of a point depends only on the point, not on its neighbours in memory, so equal points
/// stay equal and batches do not matter.
class Refiner {
 public:
  /// @param steps  valid steps; steps that are the identity are skipped, so points do not change at
  ///               all
  explicit Refiner(std::span<const SlicedStep> steps);

  /// Whether there are no steps, including skipped ones.
  [[nodiscard]] bool empty() const { return empty_; }

  /// Applies all steps to points, in place.
  void apply(Eigen::Ref<RowMatrix> points, const Execution& execution) const;

 private:
  struct Step {
    Matrix rotation;  ///< for points in their original units; includes the scales
    Matrix inverse;
    std::vector<MonotoneKnots> axes;
  };

  /// The points are the columns, padded for turn_points. `rotated` has the same shape, for the
  /// coordinates along the axes.
  void apply_to_block(RowMatrix& points, RowMatrix& rotated) const;
  /// The approximate number of multiply-adds per point.
  [[nodiscard]] double work() const;

  std::vector<Step> steps_;
  bool empty_;
};

}  // namespace lbw
