// SPDX-License-Identifier: MIT
#include "transport/refiner.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "device/turn_points.hpp"

namespace lbw {

namespace {

// Many points per block reuse the knots of an axis while they are in the cache.
constexpr Index points_a_block = 256;

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
    for (const QuantileMap& axis : step.axes) axes.emplace_back(axis);
    steps_.push_back({rotation_of_scaled(step.rotation, step.scales),
                      inverse_of_scaled(step.rotation, step.scales), std::move(axes)});
  }
}

void Refiner::apply(Eigen::Ref<RowMatrix> points, const Execution& execution) const {
  const Chunks chunks = Chunks::of(points.rows());
  const Execution worth = threads_worth(work() * static_cast<double>(points.rows()), execution);
  for_each_chunk(chunks.count(), worth, [&](Index chunk) {
    RowMatrix block;
    RowMatrix rotated;
    for (Index i = chunks.begin(chunk); i < chunks.end(chunk); i += points_a_block) {
      const Index count = std::min(points_a_block, chunks.end(chunk) - i);
      block.setZero(points.cols(), padded_to_turn(count));
      block.leftCols(count) = points.middleRows(i, count).transpose();
      rotated.resize(block.rows(), block.cols());
      apply_to_block(block, rotated);
      points.middleRows(i, count) = block.leftCols(count).transpose();
    }
  });
}

void Refiner::apply_to_block(RowMatrix& points, RowMatrix& rotated) const {
  for (const Step& step : steps_) {
    turn_points(step.rotation, points, rotated);
    for (Index f = 0; f < rotated.rows(); ++f) {
      const MonotoneKnots& axis = step.axes[static_cast<std::size_t>(f)];
      axis.apply({rotated.row(f).data(), static_cast<std::size_t>(rotated.cols())});
    }
    turn_points(step.inverse, rotated, points);
  }
}

double Refiner::work() const {
  constexpr double work_of_a_map = 20.0;
  double work = 0.0;
  for (const Step& step : steps_) {
    work += 2.0 * static_cast<double>(step.rotation.size()) +
            work_of_a_map * static_cast<double>(step.axes.size());
  }
  return work;
}

}  // namespace lbw
