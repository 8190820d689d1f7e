// SPDX-License-Identifier: MIT
// Samples that a fit does not see, to judge it by.
#pragma once

#include <cstdint>
#include <lbw/mixture.hpp>
#include <vector>

namespace lbw {

/// Of every five samples in a row one is held out, drawn by the seed: a random sample that leaves
/// no part of sorted data out. Nothing is copied: held-out samples are those of weight 0.
class Holdout {
 public:
  /// @param n_samples  5 or more
  Holdout(Index n_samples, std::uint64_t seed);

  /// (n_samples): 0 for those held out, 1 for those to be fitted.
  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }
  [[nodiscard]] Index n_fitted() const { return std::ssize(weights_) - n_held_out_; }

  /// Mean of log p(x) of those held out.
  [[nodiscard]] double mean_log_likelihood(const Mixture& mixture, SampleView samples,
                                           const Execution& execution) const;

 private:
  std::vector<double> weights_;
  Index n_held_out_ = 0;
};

}  // namespace lbw
