// SPDX-License-Identifier: MIT
#include "transport/refiner.hpp"

#include <algorithm>

#include "core/indexing.hpp"
#include "core/parallel.hpp"
#include "device/device.hpp"

namespace lbw {

namespace {

/// Multiply-adds that build the tables of steps, approximately.
double work_of(const std::vector<const SlicedStep*>& steps) {
  constexpr double work_of_a_level = 30.0;
  double n_levels = 0.0;
  for (const SlicedStep* step : steps) {
    for (const QuantileMap& axis : step->axes) {
      n_levels += static_cast<double>(axis.source.n_levels());
    }
  }
  return work_of_a_level * n_levels;
}

}  // namespace

Matrix rotation_of_scaled(const Matrix& rotation, const Vector& scales) {
  if (scales.size() == 0) return rotation;
  return rotation * scales.cwiseInverse().asDiagonal();
}

Matrix inverse_of_scaled(const Matrix& rotation, const Vector& scales) {
  if (scales.size() == 0) return rotation.transpose();
  return scales.asDiagonal() * rotation.transpose();
}

bool moves_nothing(const SlicedStep& step) {
  return std::all_of(step.axes.begin(), step.axes.end(), [](const QuantileMap& map) {
    return map.amount == 0.0 || map.source.values == map.target.values;
  });
}

Refiner::Refiner(std::span<const SlicedStep> steps, const Execution& execution)
    : empty_(steps.empty()) {
  std::vector<const SlicedStep*> moving;
  for (const SlicedStep& step : steps) {
    if (!moves_nothing(step)) moving.push_back(&step);
  }
  steps_.resize(moving.size());
  for_each_chunk(std::ssize(moving), threads_worth(work_of(moving), execution), [&](Index s) {
    const SlicedStep& step = *at(moving, s);
    std::vector<MonotoneKnots> axes;
    axes.reserve(step.axes.size());
    for (const QuantileMap& axis : step.axes) {
      axes.emplace_back(axis.source.values, axis.target.values, axis.amount);
    }
    at(steps_, s) = {rotation_of_scaled(step.rotation, step.scales),
                     inverse_of_scaled(step.rotation, step.scales), std::move(axes)};
  });
}

// NOLINTNEXTLINE: points are written through the reference
void Refiner::apply(Eigen::Ref<RowMatrix> points, const Execution& execution) const {
  device_of(execution).apply_steps(steps_, execution, points);
}

}  // namespace lbw
