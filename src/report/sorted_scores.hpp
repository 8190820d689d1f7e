// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/parity.hpp>
#include <span>
#include <vector>

namespace lbw {

/// Groups in the order of the scores, which are not needed any more.
struct SortedScores {
  std::vector<int> groups;        ///< of each score
  std::vector<Index> sizes;       ///< of each group
  std::vector<std::size_t> ends;  ///< last of each run of equal scores
};

/// Sorts scores; those that differ by no more than `rounding` times their size are equal.
[[nodiscard]] SortedScores sorted_scores(std::span<const double> scores,
                                         std::span<const int> groups, double rounding);

/// The size of each group.
/// @throws InvalidArgument  unless the groups are 0, 1, ..., each at least once and two or more
[[nodiscard]] std::vector<Index> sizes_of_groups(std::span<const int> groups, std::size_t n_scores,
                                                 const char* function);

}  // namespace lbw
