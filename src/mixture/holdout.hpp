// SPDX-License-Identifier: MIT
// Held-out samples for the evaluation of a fit.
#pragma once

#include <cstdint>
#include <lbw/mixture.hpp>
#include <lbw/types.hpp>
#include <vector>

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
  /// @param n_samples  5 or more
  Holdout(Index n_samples, std::uint64_t seed);

  /// (n_samples): 0 for held-out samples, 1 for fitted samples.
  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }
  [[nodiscard]] Index n_fitted() const { return std::ssize(weights_) - n_held_out_; }

  /// Mean of log p(x) over the held-out samples.
  [[nodiscard]] double mean_log_likelihood(const Mixture& mixture, SampleView samples,
                                           const Execution& execution) const;

 private:
  std::vector<double> weights_;
  Index n_held_out_ = 0;
};

}  // namespace lbw
