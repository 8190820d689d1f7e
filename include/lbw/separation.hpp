// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <lbw/execution.hpp>
#include <lbw/permutation_null.hpp>
#include <lbw/sample_view.hpp>

namespace lbw {

struct SeparationOptions {
  /// Neighbours that a point is judged by, at most half of all points; 0: the root of half their
  /// number, rounded.
  int n_neighbors = 0;
  /// Random permutations behind the null distribution; 0 for none.
  int n_permutations = 0;
  std::uint64_t seed = 0;
  Execution execution = {};
};

struct Separation {
  /// Probability that a point of the second sample has a higher score than one of the first, ties
  /// by halves: 1 where the classifier tells the samples apart without error, 0.5 where it cannot.
  double auc = 0.5;
  int n_neighbors = 0;  ///< that were used
  PermutationNull null;
};

/// How well a classifier tells two samples apart: nearest neighbours, which need no model and see
/// any difference that is local.
///
/// All points are cut into two random halves by the seed. The score of a point is the share of the
/// second sample among its nearest neighbours in the other half, so that neither its own label nor
/// who else is judged with it plays a part; pairs of points are compared within a half. (Leaving
/// out the point alone would not do: of equal points, those of the second sample then have one
/// neighbour of their own less, and always the lower score.) Features are divided by their standard
/// deviation over both samples. All neighbours as near as the last are taken, so that ties, as
/// between points of one-hot columns, do not depend on the order of the samples. Takes
/// (n_first + n_second)^2 / 2 distances.
///
/// @param first, second  two samples or more each, of one number of features
[[nodiscard]] Separation separation(SampleView first, SampleView second,
                                    const SeparationOptions& options = {});

}  // namespace lbw
