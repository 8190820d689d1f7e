// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <lbw/matrix.hpp>
#include <lbw/report.hpp>
#include <lbw/samples.hpp>
#include <lbw/types.hpp>
#include <vector>

namespace lbw {

/// For every point of two samples, those of the first sample first, whether it is of the second.
using Membership = std::vector<bool>;

/// As the samples are.
[[nodiscard]] Membership membership_of(Index n_first, Index n_second);

/// Random deals, all equally likely, by a stream of the seed of their own.
[[nodiscard]] std::vector<Membership> random_deals(Index n_first, Index n_second, int n_deals,
                                                   std::uint64_t seed);

/// For every one of so many points, whether it is in the second of two random halves; the first has
/// the odd one.
[[nodiscard]] Membership random_halves(Index n_points, std::uint64_t seed);

/// @param values  of the measure: as the samples are, then for every deal
[[nodiscard]] PermutationNull null_of(const Vector& values);

/// Throws InvalidArgument unless it is 0 or more.
void check_permutations(int n_permutations, const char* function);

/// Throws InvalidArgument unless both are samples, of as many features.
void check_two_samples(SampleView first, SampleView second, const Execution& execution,
                       const char* function);

}  // namespace lbw
