// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/shrinkage.hpp>
#include <lbw/types.hpp>

namespace lbw {

/// What keeps the covariances of a fit away from singular ones.
struct Regularization {
  double floor = 0.0;  ///< added to every variance
  /// Added to each variance too, in the order of a compact covariance; empty: nothing.
  Vector relative_floor = {};
  Shrinkage shrinkage = {};
};

}  // namespace lbw
