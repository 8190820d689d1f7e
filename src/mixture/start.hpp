// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_mixture.hpp>

#include "device/tables.hpp"
#include "mixture/regularization.hpp"

namespace lbw {

/// The number of distinct samples of positive weight, at most `most`.
[[nodiscard]] Index n_distinct_samples(const WeightedSamples& samples, Index most);

/// Statistics of all samples of a fit.
struct WholeSample {
  Matrix spread;  ///< compact covariance, regularized, positive definite
  Regularization regularization;
  Vector mean = {};
  Matrix covariance = {};  ///< compact, not regularized
};

/// The stage of a fit.
struct FitStage {
  int restart = 0;
  int stream = 0;           ///< the stream of options.seed for the start
  bool subsample = false;   ///< whether the stage uses a subsample
  bool from_start = false;  ///< whether EM begins at options.start instead of a previous stage
};

/// The initial mixture of EM, according to options.start.
[[nodiscard]] Mixture starting_mixture(const WeightedSamples& samples,
                                       const MixtureOptions& options, const WholeSample& whole,
                                       const FitStage& stage);

}  // namespace lbw
