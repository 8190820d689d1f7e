// SPDX-License-Identifier: MIT
// Sliced steps in the form in which they are applied, built once for any number of batches.
#pragma once

#include <lbw/fit_transport.hpp>
#include <span>

#include "device/tables.hpp"

namespace lbw {

/// The matrix that divides features by their scales and then rotates; empty scales mean 1.
[[nodiscard]] Matrix rotation_of_scaled(const Matrix& rotation, const Vector& scales);

/// Its inverse.
[[nodiscard]] Matrix inverse_of_scaled(const Matrix& rotation, const Vector& scales);

/// Whether a step is the identity. It is skipped, so points do not change at all.
[[nodiscard]] bool moves_nothing(const SlicedStep& step);

/// The image of a point depends only on the point, not on its neighbours in memory, so equal points
/// stay equal and batches do not matter.
class Refiner {
 public:
  /// @param steps  valid steps; steps that are the identity are skipped, so points do not change at
  ///               all
  explicit Refiner(std::span<const SlicedStep> steps, const Execution& execution = {});

  /// Whether there are no steps, including skipped ones.
  [[nodiscard]] bool empty() const { return empty_; }

  /// Applies all steps to points, in place.
  void apply(Eigen::Ref<RowMatrix> points, const Execution& execution) const;

 private:
  std::vector<StepTable> steps_;
  bool empty_;
};

}  // namespace lbw
