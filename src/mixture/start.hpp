// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_mixture.hpp>

#include "device/tables.hpp"
#include "mixture/regularization.hpp"

namespace lbw {

/// The number of different samples of positive weight, or `most` where there are more.
[[nodiscard]] Index n_distinct_samples(const WeightedSamples& samples, Index most);

/// All samples of a fit together.
struct WholeSample {
  Matrix spread;  ///< their covariance, compact, regularized, positive definite
  Regularization regularization;
  Vector mean = {};
  Matrix covariance = {};  ///< compact, as it is
};

/// How far a fit has come.
struct FitStage {
  int restart = 0;
  int stream = 0;           ///< of options.seed, that the start is drawn from
  bool subsample = false;   ///< at work on some of the samples
  bool from_start = false;  ///< EM begins at options.start, not where another stage ended
};

/// The mixture from which EM starts, of options.start.
[[nodiscard]] Mixture starting_mixture(const WeightedSamples& samples,
                                       const MixtureOptions& options, const WholeSample& whole,
                                       const FitStage& stage);

}  // namespace lbw
