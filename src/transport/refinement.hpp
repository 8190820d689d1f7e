// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>

namespace lbw {

/// Throws InvalidArgument unless the refinement fits the model: weights, shapes, rotations and
/// tables.
void check_refinement(const TransportModel& model, const char* function);

/// Throws InvalidArgument unless the model has no refinement or was refined for these weights.
void check_refined_for(const TransportModel& model, std::span<const double> barycentric_weights,
                       const char* function);

/// Step `step` of the refinement as a group takes it.
[[nodiscard]] SlicedStep step_of_group(const Refinement& refinement, std::size_t step, Index group);

/// All steps as a group takes them; none where there is no refinement.
[[nodiscard]] std::vector<SlicedStep> steps_of_group(const Refinement& refinement, Index group);

/// Throws InvalidArgument unless the steps are of so many features, with rotations and tables as
/// they must be.
void check_sliced_steps(std::span<const SlicedStep> steps, Index n_features, const char* function);

}  // namespace lbw
