// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>

namespace lbw {

/// Samples of a group that a refinement is fitted on, at most: their noise, 1/512 of a share, is
/// half a level of the tables.
inline constexpr Index most_refinement_samples = Index{1} << 16;

/// Throws InvalidArgument unless refine and refine_weights suit so many groups.
void check_refine_options(const TransportOptions& options, Index n_groups, const char* function);

/// The refinement of a model that has none yet, fitted on samples that its maps have carried.
/// @param groups  what the model was fitted to
[[nodiscard]] Refinement fit_refinement(const TransportModel& model, std::span<const Group> groups,
                                        const TransportOptions& options);

/// Samples of a larger kurtosis have heavy tails: of exponential variables it is 9. The noise of
/// their moments and distances comes from samples that are not among them, so it cannot be seen.
inline constexpr double heavy_kurtosis = 12.0;

/// Whether groups may be samples of one distribution.
struct Likeness {
  bool all = false;            ///< along the features and some random axes together
  std::vector<bool> features;  ///< each by itself
};

/// By Cramer's distances (step_shrinkage.hpp) of the features' places in sorted order, which heavy
/// tails do not disturb.
[[nodiscard]] Likeness likeness_of(std::span<const Group> groups, const TransportOptions& options);

}  // namespace lbw
