// SPDX-License-Identifier: MIT
// A copy of some of the samples, for the start of a large fit.
#pragma once

#include <cstdint>
#include <vector>

#include "device/tables.hpp"

namespace lbw {

class Subsample {
 public:
  /// One sample out of each of `size` stretches of equal length, in their order: a random sample
  /// that leaves no part of sorted data out.
  Subsample(const WeightedSamples& all, Index size, std::uint64_t seed);

  [[nodiscard]] WeightedSamples view() const { return {samples_, weights_}; }
  /// The number of each sample among all, ascending.
  [[nodiscard]] const std::vector<Index>& chosen() const { return chosen_; }

 private:
  RowMatrix samples_;
  std::vector<double> weights_;  ///< empty when all have none
  std::vector<Index> chosen_;
};

}  // namespace lbw
