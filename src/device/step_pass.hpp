// SPDX-License-Identifier: MIT
// Projections on axes and the steps of a refinement, for a chunk of samples.
#pragma once

#include "device/tables.hpp"

namespace lbw {

/// out(i, a) = row a of the axes times sample i, for i in [begin, end).
void chunk_project(SampleView samples, const Matrix& axes, Index begin, Index end, Matrix& out);

/// Multiply-adds of the projection of one point, approximately.
[[nodiscard]] double work_of_projection(const Matrix& axes);

/// Applies all steps to points [begin, end). The image of a point depends on the point alone, so
/// equal points stay equal.
void chunk_apply_steps(std::span<const StepTable> steps, Index begin, Index end,
                       Eigen::Ref<RowMatrix> points);

/// The number of points that should be in a chunk: the tables of all steps are read once for each.
[[nodiscard]] Index points_of_steps(Index n_features);

/// Multiply-adds of one point, approximately.
[[nodiscard]] double work_of_steps(std::span<const StepTable> steps);

}  // namespace lbw
