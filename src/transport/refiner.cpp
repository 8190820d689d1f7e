// SPDX-License-Identifier: MIT
#include "transport/refiner.hpp"

#include <algorithm>

#include "device/device.hpp"

namespace lbw {

namespace {

bool moves_nothing(const QuantileMap& map) {
  return map.amount == 0.0 || map.source.values == map.target.values;
}

Matrix inverse_of_scaled(const Matrix& rotation, const Vector& scales) {
  if (scales.size() == 0) return rotation.transpose();
  return scales.asDiagonal() * rotation.transpose();
}

}  // namespace

Matrix rotation_of_scaled(const Matrix& rotation, const Vector& scales) {
  if (scales.size() == 0) return rotation;
  return rotation * scales.cwiseInverse().asDiagonal();
}

Refiner::Refiner(std::span<const SlicedStep> steps) : empty_(steps.empty()) {
  for (const SlicedStep& step : steps) {
    if (std::all_of(step.axes.begin(), step.axes.end(), moves_nothing)) continue;
    std::vector<MonotoneKnots> axes;
    for (const QuantileMap& axis : step.axes) {
      axes.emplace_back(axis.source.values, axis.target.values, axis.amount);
    }
    steps_.push_back({rotation_of_scaled(step.rotation, step.scales),
                      inverse_of_scaled(step.rotation, step.scales), std::move(axes)});
  }
}

// NOLINTNEXTLINE: points are written through the reference
void Refiner::apply(Eigen::Ref<RowMatrix> points, const Execution& execution) const {
  device_of(execution).apply_steps(steps_, execution, points);
}

}  // namespace lbw
