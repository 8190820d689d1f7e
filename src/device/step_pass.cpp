// SPDX-License-Identifier: MIT
#include "device/step_pass.hpp"

#include <algorithm>

#include "device/rotate_points.hpp"

namespace lbw {

namespace {

// Many points per block reuse the knots of an axis while they are in the cache: those of all axes
// of all steps do not fit. The points of a block should fit, too.
constexpr Index most_points_a_block = 2048;
constexpr Index least_points_a_block = 256;
constexpr Index numbers_a_block = Index{1} << 14;  // 128 KiB

Index points_a_block(Index n_features) {
  const Index fitting = numbers_a_block / n_features / rotated_points_step * rotated_points_step;
  return std::clamp(fitting, least_points_a_block, most_points_a_block);
}

/// A few rows at a time, whose memory stays in the cache while their columns are written.
template <typename Input>
void copy_columns(const Input* rows, Index stride, Index count, RowMatrix& block) {
  for (Index first = 0; first < count; first += rotated_points_step) {
    const Index n = std::min(rotated_points_step, count - first);
    for (Index f = 0; f < block.rows(); ++f) {
      const Input* from = rows + first * stride + f;
      double* const to = block.row(f).data() + first;
      for (Index i = 0; i < n; ++i) to[i] = static_cast<double>(from[i * stride]);
    }
  }
}

/// The inverse of copy_columns.
void copy_rows(const RowMatrix& block, Index count, double* rows, Index stride) {
  for (Index first = 0; first < count; first += rotated_points_step) {
    const Index n = std::min(rotated_points_step, count - first);
    for (Index f = 0; f < block.rows(); ++f) {
      const double* const from = block.row(f).data() + first;
      double* const to = rows + first * stride + f;
      for (Index i = 0; i < n; ++i) to[i * stride] = from[i];
    }
  }
}

/// Room for `count` points, with zeros after them for rotate_points.
void resize_block(Index n_features, Index count, RowMatrix& block) {
  block.resize(n_features, padded_points(count));
  block.rightCols(block.cols() - count).setZero();
}

/// Samples [first, first + count) as columns, filled up with zeros for rotate_points.
void load_columns(SampleView samples, Index first, Index count, RowMatrix& block) {
  resize_block(samples.n_features(), count, block);
  const Index begin = first * samples.row_stride();
  if (samples.is_float()) {
    copy_columns(samples.floats() + begin, samples.row_stride(), count, block);
  } else {
    copy_columns(samples.doubles() + begin, samples.row_stride(), count, block);
  }
}

/// The points are the columns; `rotated` is working memory.
void apply_to_block(std::span<const StepTable> steps, RowMatrix& points, RowMatrix& rotated) {
  rotated.resize(points.rows(), points.cols());
  for (const StepTable& step : steps) {
    rotate_points(step.rotation, points, rotated);
    for (Index f = 0; f < rotated.rows(); ++f) {
      const MonotoneKnots& axis = step.axes[static_cast<std::size_t>(f)];
      axis.apply({rotated.row(f).data(), static_cast<std::size_t>(rotated.cols())});
    }
    rotate_points(step.inverse, rotated, points);
  }
}

}  // namespace

void chunk_project(SampleView samples, const Matrix& axes, Index begin, Index end, Matrix& out) {
  RowMatrix block;
  RowMatrix along;
  const Index most = points_a_block(samples.n_features());
  for (Index first = begin; first < end; first += most) {
    const Index count = std::min(most, end - first);
    load_columns(samples, first, count, block);
    along.resize(axes.rows(), block.cols());
    rotate_points(axes, block, along);
    for (Index a = 0; a < axes.rows(); ++a) {
      std::copy_n(along.row(a).data(), count, out.col(a).data() + first);
    }
  }
}

void chunk_apply_steps(std::span<const StepTable> steps, Index begin, Index end,
                       Eigen::Ref<RowMatrix> points) {
  RowMatrix block;
  RowMatrix rotated;
  const Index most = points_a_block(points.cols());
  for (Index first = begin; first < end; first += most) {
    const Index count = std::min(most, end - first);
    double* const rows = points.data() + first * points.outerStride();
    resize_block(points.cols(), count, block);
    copy_columns(rows, points.outerStride(), count, block);
    apply_to_block(steps, block, rotated);
    copy_rows(block, count, rows, points.outerStride());
  }
}

Index points_of_steps(Index n_features) { return points_a_block(n_features); }

double work_of_projection(const Matrix& axes) {
  constexpr double work_of_a_copy = 8.0;  // a number of a point, to and from a block
  return static_cast<double>(axes.size()) +
         work_of_a_copy * static_cast<double>(axes.rows() + axes.cols());
}

double work_of_steps(std::span<const StepTable> steps) {
  constexpr double work_of_a_map = 20.0;
  double work = 0.0;
  for (const StepTable& step : steps) {
    work += 2.0 * static_cast<double>(step.rotation.size()) +
            work_of_a_map * static_cast<double>(step.axes.size());
  }
  return work;
}

}  // namespace lbw
