// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace lbw {

/// The fraction of a difference that is attributed to sampling noise. A squared difference that
/// `noise` is expected of, and that has about so many degrees of freedom, is taken for noise
/// altogether up to two standard deviations above its expectation; beyond, the fraction falls with
/// the square of what is seen:
///
///   min(1, (noise (1 + 2 sqrt(2 / degrees)) / seen)^2)
[[nodiscard]] inline double noise_fraction(double noise, double seen, double degrees) {
  const double limit = noise * (1.0 + 2.0 * std::sqrt(2.0 / degrees));
  if (!(seen > limit)) return 1.0;
  const double ratio = limit / seen;
  return ratio * ratio;
}

}  // namespace lbw
