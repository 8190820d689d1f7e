// SPDX-License-Identifier: MIT
// Sliced steps as they are applied: made once, then used for any number of batches.
#pragma once

#include <lbw/refinement.hpp>
#include <span>

#include "quantile/monotone_knots.hpp"

namespace lbw {

/// Where a point goes depends on the point, never on its neighbours in memory, so that equal points
/// stay equal and batches do not matter.
class Refiner {
 public:
  /// @param steps  rotations and maps that were checked
  explicit Refiner(std::span<const SlicedStep> steps);

  [[nodiscard]] bool empty() const { return steps_.empty(); }

  /// Takes points through all steps, in place.
  void carry(Eigen::Ref<RowMatrix> points, const Execution& execution) const;

 private:
  struct Step {
    Matrix rotation;
    Matrix inverse;
    std::vector<MonotoneKnots> axes;
  };

  /// The points are the columns, filled up for turn_points; `turned` is of the same shape, for
  /// coordinates along the axes.
  void carry_block(RowMatrix& points, RowMatrix& turned) const;
  /// Multiply-adds of a point, about.
  [[nodiscard]] double work() const;

  std::vector<Step> steps_;
};

}  // namespace lbw
