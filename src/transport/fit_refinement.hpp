// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>

namespace lbw {

/// The maximum number of samples per group in a refinement. Their noise, 1/512 in probability, is
/// half a level of the tables.
inline constexpr Index most_refinement_samples = Index{1} << 16;

/// Throws InvalidArgument unless refine and refine_weights are valid for n_groups groups.
void check_refine_options(const TransportOptions& options, Index n_groups, const char* function);

/// Fits the refinement of a model that has none, on transported samples.
/// @param groups  the training samples of the model
[[nodiscard]] Refinement fit_refinement(const TransportModel& model, std::span<const Group> groups,
                                        const TransportOptions& options);

/// Samples of larger kurtosis have heavy tails; the exponential distribution has 9. The noise of
/// their moments and distances is dominated by rare samples and cannot be estimated.
inline constexpr double heavy_kurtosis = 12.0;

/// Whether groups may be samples of the same distribution.
struct Likeness {
  bool all = false;            ///< along the features and some random axes together
  std::vector<bool> features;  ///< along each feature
};

/// Compares groups by Cramer's distances (step_shrinkage.hpp) of the ranks of the features, which
/// are robust to heavy tails.
[[nodiscard]] Likeness likeness_of(std::span<const Group> groups, const TransportOptions& options);

}  // namespace lbw
