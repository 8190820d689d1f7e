// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <lbw/execution.hpp>
#include <lbw/permutation_null.hpp>
#include <lbw/sample_view.hpp>

namespace lbw {

struct SlicedDistanceOptions {
  /// Directions drawn uniformly from the sphere by `seed`, unless `directions` holds some. One
  /// feature has one direction.
  int n_directions = 64;
  /// (n_directions, n_features), rows of length 1 within 1e-6; empty: drawn.
  RowMatrix directions = {};
  /// Random permutations behind the null distribution; 0 for none.
  int n_permutations = 0;
  std::uint64_t seed = 0;
  Execution execution = {};
};

struct SlicedDistance {
  double distance = 0.0;
  PermutationNull null;
};

/// Sliced Wasserstein distance of order 2 of two samples: along every direction the samples have a
/// Wasserstein distance on the line, had by sorting; the result is the root of the mean of their
/// squares. It is never above the Wasserstein distance of the samples, and 0 for equal ones alone
/// (of all directions).
///
/// Takes n_directions sorts, and one walk along every direction for each permutation.
///
/// @param first, second  one sample or more each, of one number of features
[[nodiscard]] SlicedDistance sliced_distance(SampleView first, SampleView second,
                                             const SlicedDistanceOptions& options = {});

}  // namespace lbw
