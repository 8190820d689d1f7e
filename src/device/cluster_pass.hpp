// SPDX-License-Identifier: MIT
// Assignment to the nearest of centers that move a little from pass to pass (Hamerly 2010).
#pragma once

#include <limits>
#include <vector>

#include "device/rows.hpp"
#include "device/tables.hpp"

namespace lbw {

/// How far centers have moved, and how far they are from each other. Rounding makes distances that
/// samples may have moved longer, and all others shorter.
struct CenterMoves {
  Vector moved;
  double most = 0.0;         ///< of all centers
  double second_most = 0.0;  ///< of all but the one that moved most
  Index mover = -1;          ///< that one
  Vector half_gaps;          ///< half the distance to the nearest other center

  /// @param before  empty: the first pass
  CenterMoves(const RowMatrix& before, const RowMatrix& centers);

  /// The factor by which distances are made longer, or shorter by its inverse.
  [[nodiscard]] static double slack(Index n_features);
};

/// What is known of each sample: its center, at most how far it is, and at least how far all other
/// centers are. A sample that is nearer to its center than any other can be keeps it.
struct NearestBounds {
  std::vector<int> label;
  std::vector<double> upper;
  std::vector<double> lower;

  explicit NearestBounds(Index n_samples)
      : label(static_cast<std::size_t>(n_samples), 0),
        upper(static_cast<std::size_t>(n_samples), std::numeric_limits<double>::infinity()),
        lower(static_cast<std::size_t>(n_samples), 0.0) {}
};

/// (n_centers, 1 + 2 n_features), for the samples of [begin, end) that are nearest to each center,
/// the first one if several are equal: their weight, their weighted differences from the origin,
/// and the absolute values of these. Without `adds_all`, what has changed since the last pass.
[[nodiscard]] RowMatrix chunk_cluster_sums(const WeightedSamples& samples, const RowMatrix& centers,
                                           const CenterMoves& moves, const Vector& origin,
                                           bool adds_all, Index begin, Index end,
                                           NearestBounds& bounds);

}  // namespace lbw
