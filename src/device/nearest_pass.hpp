// SPDX-License-Identifier: MIT
// Distances to centers: the passes of k-means.
#pragma once

#include "device/pass_sums.hpp"
#include "device/tables.hpp"

namespace lbw {

/// The moments that are summed for each center.
enum class NearestTerms {
  diagonal,  ///< x_a, then x_a^2
  full,      ///< x_a, then x_a x_b for b <= a
};

/// Sums about the nearest center, the first one if several are equal, over samples [begin, end).
/// The negative squared distance replaces the log-density.
[[nodiscard]] PassSums nearest_sums(const WeightedSamples& samples, const RowMatrix& centers,
                                    NearestTerms terms, Index begin, Index end);

/// For every candidate (a row), the sum of weight * min(distances, squared distance to it) over
/// samples [begin, end).
[[nodiscard]] Vector chunk_potentials(const WeightedSamples& samples, const RowMatrix& candidates,
                                      const Vector& distances, Index begin, Index end);

/// distances <- min(distances, squared distance to the center) for samples [begin, end).
void chunk_lower_distances(SampleView samples, const Vector& center, Index begin, Index end,
                           Vector& distances);

}  // namespace lbw
