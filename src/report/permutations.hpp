// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <lbw/matrix.hpp>
#include <lbw/report.hpp>
#include <lbw/samples.hpp>
#include <lbw/types.hpp>
#include <vector>

namespace lbw {

/// Whether each point of two samples belongs to the second; points of the first sample come first.
using Membership = std::vector<bool>;

/// The actual membership.
[[nodiscard]] Membership membership_of(Index n_first, Index n_second);

/// Uniformly random permutations, from a separate stream of the seed.
[[nodiscard]] std::vector<Membership> random_permutations(Index n_first, Index n_second,
                                                          int n_permutations, std::uint64_t seed);

/// Splits points into two random halves: whether each is in the second one. The first half has the
/// extra point if their number is odd.
[[nodiscard]] Membership random_halves(Index n_points, std::uint64_t seed);

/// @param values  of the statistic: the observed value, then one per permutation
[[nodiscard]] PermutationNull null_of(const Vector& values);

/// Throws InvalidArgument if it is negative.
void check_permutations(int n_permutations, const char* function);

/// Throws InvalidArgument unless both are valid samples with equally many features.
void check_two_samples(SampleView first, SampleView second, const Execution& execution,
                       const char* function);

}  // namespace lbw
