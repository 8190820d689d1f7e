// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/shrinkage.hpp>
#include <lbw/types.hpp>

namespace lbw {

/// What keeps the covariances of a fit away from singular ones.
struct Regularization {
  double floor = 0.0;          ///< added to every variance
  Vector relative_floor = {};  ///< (n_features), added to that of each feature too; empty: nothing
  Shrinkage shrinkage = {};
};

}  // namespace lbw
