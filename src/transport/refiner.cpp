// SPDX-License-Identifier: MIT
#include "transport/refiner.hpp"

#include <algorithm>

#include "core/indexing.hpp"
#include "core/parallel.hpp"
#include "device/turn_points.hpp"

namespace lbw {

namespace {

// The knots of an axis are then read many times while they are in the cache.
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

void Refiner::carry(Eigen::Ref<RowMatrix> points, const Execution& execution) const {
  const Chunks chunks = Chunks::of(points.rows());
  const Execution worth = threads_worth(work() * static_cast<double>(points.rows()), execution);
  for_each_chunk(chunks.count(), worth, [&](Index chunk) {
    RowMatrix block;
    RowMatrix turned;
    for (Index i = chunks.begin(chunk); i < chunks.end(chunk); i += points_a_block) {
      const Index count = std::min(points_a_block, chunks.end(chunk) - i);
      block.setZero(points.cols(), padded_to_turn(count));
      block.leftCols(count) = points.middleRows(i, count).transpose();
      turned.resize(block.rows(), block.cols());
      carry_block(block, turned);
      points.middleRows(i, count) = block.leftCols(count).transpose();
    }
  });
}

void Refiner::carry_block(RowMatrix& points, RowMatrix& turned) const {
  for (const Step& step : steps_) {
    turn_points(step.rotation, points, turned);
    for (Index f = 0; f < turned.rows(); ++f) {
      const MonotoneKnots& axis = at(step.axes, f);
      axis.apply({turned.row(f).data(), to_size(turned.cols())});
    }
    turn_points(step.inverse, turned, points);
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
