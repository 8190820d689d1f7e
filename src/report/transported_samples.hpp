// SPDX-License-Identifier: MIT
// Samples of groups and their displacements under the maps of a model.
#pragma once

#include <lbw/report.hpp>

namespace lbw {

/// Throws InvalidArgument unless the groups are distinct groups of the model, with its features, at
/// least `least` samples each, and valid weights or none. Weights count as those samples that
/// represent the group.
void check_groups_of(const TransportModel& model, std::span<const Group> groups, Index least,
                     const char* function);

/// The displacement between samples and their images.
[[nodiscard]] Displacement displacement_of(const RowMatrix& samples, const RowMatrix& transported,
                                           const Mixture& target);

/// The ratio of a displacement to its limit; above 1 if it is too large.
[[nodiscard]] double excess_of(const Displacement& moved);

/// The samples of a displacement: their group, target and noise.
struct MovedSamples {
  std::string from;
  std::string to;       ///< empty for the barycenter
  bool nudged = false;  ///< whether noise was added to the samples
};

/// The warning about a displacement that is too large.
[[nodiscard]] std::string displacement_text(const TransportModel& model,
                                            const MovedSamples& samples, const Displacement& moved);

}  // namespace lbw
