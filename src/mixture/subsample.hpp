// SPDX-License-Identifier: MIT
// A random subsample for the start of a large fit.
#pragma once

#include <cstdint>
#include <vector>

#include "device/tables.hpp"

namespace lbw {

/// Draws one index from each of `size` intervals of equal length, in order: a random sample that
/// covers all parts of sorted data. The indices ascend, and neighbours may be equal.
[[nodiscard]] std::vector<Index> subsample_indices(Index n_samples, Index size, std::uint64_t seed);

class Subsample {
 public:
  /// The samples at subsample_indices.
  Subsample(const WeightedSamples& all, Index size, std::uint64_t seed);

  [[nodiscard]] WeightedSamples view() const { return {samples_, weights_}; }
  /// The indices of the chosen samples, ascending.
  [[nodiscard]] const std::vector<Index>& chosen() const { return chosen_; }

 private:
  RowMatrix samples_;
  std::vector<double> weights_;  ///< empty if all samples have equal weight
  std::vector<Index> chosen_;
};

}  // namespace lbw
