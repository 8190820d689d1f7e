// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_mixture.hpp>
#include <lbw/matrix.hpp>

namespace lbw {

/// What keeps the covariances of a fit away from singular ones.
struct Regularization {
  double floor = 0.0;  ///< added to every variance
  /// Added to each variance too, in the order of a compact covariance; empty: nothing.
  Vector relative_floor = {};
  Shrinkage shrinkage = {};
  /// Samples behind a sample that weighs something (sample_count), for automatic shrinkage: 2 where
  /// all weights are 2.
  double copies = 1.0;
};

}  // namespace lbw
