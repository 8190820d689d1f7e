// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <lbw/execution.hpp>
#include <lbw/permutation_null.hpp>
#include <lbw/sample_view.hpp>

namespace lbw {

struct SeparationOptions {
  /// Neighbours that a point is judged by; 0: the root of the number of points of both samples,
  /// rounded.
  int n_neighbors = 0;
  /// Random deals behind the null; 0 for none.
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
/// The score of a point is the share of the second sample among its nearest neighbours, itself left
/// out, so that no point is judged by its own label. Features are divided by their standard
/// deviation over both samples. All neighbours as near as the last are taken, so that ties, as
/// between points of one-hot columns, do not depend on the order of the samples. Takes
/// (n_first + n_second)^2 distances.
///
/// @param first, second  two samples or more each, of one number of features
[[nodiscard]] Separation separation(SampleView first, SampleView second,
                                    const SeparationOptions& options = {});

}  // namespace lbw
