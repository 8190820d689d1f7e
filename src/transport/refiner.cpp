// SPDX-License-Identifier: MIT
#include "transport/refiner.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace lbw {

namespace {

// The knots of an axis are then read many times while they are in the cache.
constexpr Index points_a_block = 256;

}  // namespace

Refiner::Refiner(std::span<const SlicedStep> steps) {
  for (const SlicedStep& step : steps) {
    std::vector<MonotoneKnots> axes;
    for (const QuantileMap& axis : step.axes) axes.emplace_back(axis);
    steps_.push_back({step.rotation, step.rotation.transpose(), std::move(axes)});
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
      block = points.middleRows(i, count).transpose();
      turned.resize(block.rows(), count);
      carry_block(block, turned);
      points.middleRows(i, count) = block.transpose();
    }
  });
}

void Refiner::carry_block(RowMatrix& points, RowMatrix& turned) const {
  for (const Step& step : steps_) {
    turn(step.rotation, points, turned);
    for (Index f = 0; f < turned.rows(); ++f) {
      const MonotoneKnots& axis = step.axes[static_cast<std::size_t>(f)];
      axis.apply({turned.row(f).data(), static_cast<std::size_t>(turned.cols())});
    }
    turn(step.inverse, turned, points);
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

void turn(const Matrix& matrix, const RowMatrix& points, RowMatrix& out) {
  const Index count = points.cols();
  for (Index row = 0; row < matrix.rows(); ++row) {
    double* sums = out.row(row).data();
    std::fill_n(sums, count, 0.0);
    for (Index column = 0; column < matrix.cols(); ++column) {
      const double* coordinates = points.row(column).data();
      const double factor = matrix(row, column);
      for (Index i = 0; i < count; ++i) sums[i] += factor * coordinates[i];
    }
  }
}

}  // namespace lbw
