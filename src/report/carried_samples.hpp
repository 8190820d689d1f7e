// SPDX-License-Identifier: MIT
// Samples of groups, some of each, and where the maps of a model take them.
#pragma once

#include <lbw/report.hpp>

namespace lbw {

/// A copy of the samples or, of more, of so many of them: one from every stretch of equal length.
[[nodiscard]] RowMatrix some_of(SampleView samples, Index most, std::uint64_t seed);

/// The keys of the rows that some_of takes of a group; none where it has none.
[[nodiscard]] std::vector<std::uint64_t> keys_of_some(const Group& group, Index most,
                                                      std::uint64_t seed);

/// Throws InvalidArgument unless the groups are of the model, each once, of its features and, with
/// `least` samples or more, without weights.
void check_groups_of(const TransportModel& model, std::span<const Group> groups, Index least,
                     const char* function);

/// Of samples and where they were carried.
[[nodiscard]] Displacement displacement_of(const RowMatrix& samples, const RowMatrix& carried,
                                           const Mixture& target);

/// How far out of proportion a displacement is: above 1 where it is.
[[nodiscard]] double excess_of(const Displacement& moved);

/// Which samples of a group moved, and where to.
struct Journey {
  std::string from;
  std::string to;       ///< empty: the barycenter
  bool nudged = false;  ///< not as they are, but a little off
};

/// What is said of a displacement out of proportion.
[[nodiscard]] std::string displacement_text(const TransportModel& model, const Journey& journey,
                                            const Displacement& moved);

}  // namespace lbw
