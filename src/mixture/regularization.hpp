// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_mixture.hpp>
#include <lbw/matrix.hpp>

namespace lbw {

/// Regularization of the covariances of a fit.
struct Regularization {
  double floor = 0.0;  ///< added to every variance
  /// Added to each variance too, in the order of a compact covariance; empty means 0.
  Vector relative_floor = {};
  Shrinkage shrinkage = {};
  /// Number of copies behind a sample of positive weight (sample_count): 2 if all weights are 2.
  /// Automatic shrinkage and the decision which components are empty use it.
  double copies = 1.0;
  /// The units in which shrinkage compares variances, one per feature; empty means 1.
  Vector scales = {};
};

}  // namespace lbw
