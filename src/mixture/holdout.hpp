// SPDX-License-Identifier: MIT
// Held-out samples for the evaluation of a fit.
#pragma once

#include <cstdint>
#include <lbw/mixture.hpp>
#include <lbw/types.hpp>
#include <vector>

#include "device/tables.hpp"

namespace lbw {

/// Tells for ascending rows whether they are held out: one of every five consecutive rows, drawn by
/// the seed.
class HeldOutRows {
 public:
  explicit HeldOutRows(std::uint64_t seed);

  /// @param row  not below that of the previous call
  [[nodiscard]] bool contains(Index row);

 private:
  Random random_;
  Index end_ = 0;     ///< of the current five rows
  Index drawn_ = -1;  ///< the one of them that is held out
};

/// Holds out one of every five consecutive samples, drawn by the seed: a random sample that covers
/// all parts of sorted data. Samples are not copied; held-out samples have weight 0.
class Holdout {
 public:
  /// @param samples  5 or more, with weights above 0; they must outlive the result
  Holdout(const WeightedSamples& samples, std::uint64_t seed);

  /// All samples, with the weight 0 for held-out samples.
  [[nodiscard]] WeightedSamples fitted() const { return {samples_.samples, weights_}; }

  /// Weighted mean of log p(x) over the held-out samples.
  [[nodiscard]] double mean_log_likelihood(const Mixture& mixture,
                                           const Execution& execution) const;

 private:
  WeightedSamples samples_;
  std::vector<double> weights_;
};

}  // namespace lbw
