// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>

namespace lbw {

/// Throws InvalidArgument unless weights, shapes, rotations and tables of the refinement agree with
/// the model.
void check_refinement(const TransportModel& model, const char* function);

/// Throws InvalidArgument unless the model has no refinement or was refined for these weights.
void check_refined_for(const TransportModel& model, std::span<const double> barycentric_weights,
                       const char* function);

/// Step `step` of the refinement for one group.
[[nodiscard]] SlicedStep step_of_group(const Refinement& refinement, std::size_t step, Index group);

/// All refinement steps for one group; empty if there is no refinement.
[[nodiscard]] std::vector<SlicedStep> steps_of_group(const Refinement& refinement, Index group,
                                                     const Execution& execution = {});

/// Throws InvalidArgument unless the steps have n_features features and valid rotations and tables.
void check_sliced_steps(std::span<const SlicedStep> steps, Index n_features, const char* function);

}  // namespace lbw
