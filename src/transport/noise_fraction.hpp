// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace lbw {

/// How far above its expectation a squared difference may be, as a multiple of it: by so many
/// standard deviations of a chi-squared variable of these degrees of freedom. Two, or seven (about
/// one in a thousand for one degree) for the part of samples that share their values: an atom moves
/// as a whole, so that the slightest map that noise causes would tell the groups apart.
///
/// @param atom_mass  the fraction of samples that share their values
[[nodiscard]] inline double noise_limit(double degrees, double atom_mass) {
  const double deviations = 2.0 + 5.0 * atom_mass;
  return 1.0 + deviations * std::sqrt(2.0 / degrees);
}

/// The fraction of a difference that is attributed to sampling noise. A squared difference that
/// `noise` is expected of, and that has about so many degrees of freedom, is taken for noise
/// altogether up to the noise limit; beyond, the fraction falls with the square of what is seen:
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
