// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace lbw {

/// The factor by which a squared difference may exceed its expectation, from the standard deviation
/// of a chi-squared variable with these degrees of freedom. The limit is two standard deviations,
/// or seven (about one in a thousand for one degree) for the fraction of samples that share their
/// values. An atom moves as a whole, so even a slight map caused by noise would reveal the group.
///
/// @param atom_mass  the fraction of samples that share their values
[[nodiscard]] inline double noise_limit(double degrees, double atom_mass) {
  const double deviations = 2.0 + 5.0 * atom_mass;
  return 1.0 + deviations * std::sqrt(2.0 / degrees);
}

/// The fraction of a difference that is attributed to sampling noise. `noise` is the expected
/// squared difference, `seen` the observed one. Up to the noise limit, the difference counts
/// entirely as noise; above, the fraction decreases with the square of `seen`:
///
///   min(1, (noise noise_limit / seen)^2)
[[nodiscard]] inline double noise_fraction(double noise, double seen, double degrees,
                                           double atom_mass) {
  const double limit = noise * noise_limit(degrees, atom_mass);
  if (!(seen > limit)) return 1.0;
  const double ratio = limit / seen;
  return ratio * ratio;
}

}  // namespace lbw
