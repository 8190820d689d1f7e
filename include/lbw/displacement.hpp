// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>
#include <optional>
#include <span>
#include <string>

namespace lbw {

/// How far a map moves samples, beside how far it should.
struct Displacement {
  Index n_samples = 0;
  double rms = 0.0;      ///< root mean square displacement
  double largest = 0.0;  ///< largest displacement
  /// Distance of the means, plus the root mean square distance of the samples from their mean, plus
  /// the same of the target. No map that takes the samples to the target moves them by more in the
  /// root mean square, whichever point goes where (triangle inequality).
  double reach = 0.0;
  /// How far the outermost sample would go if the samples grew as the target is larger than they:
  /// distance of the means + distance of that sample from its mean * (1 + ratio of the spreads).
  double farthest_reach = 0.0;

  /// Whether displacements are too large: rms above reach, or largest above three times
  /// farthest_reach. It happens where components have directions of next to no variance, which the
  /// map must stretch.
  [[nodiscard]] bool out_of_proportion() const {
    return rms > reach || largest > 3.0 * farthest_reach;
  }
};

/// @param map      whose source the samples are of
/// @param target   the mixture that it leads to
/// @param samples  one or more
[[nodiscard]] Displacement displacement(const LocalMap& map, const Mixture& target,
                                        SampleView samples, const Execution& execution = {});

/// A warning with a remedy where a model moves samples too far; the worst case of several.
///
/// Every group is carried to the barycenter or, with no weights, to the reference and back; of a
/// large one, 4096 samples are looked at, and fewer than 10 tell nothing. Samples of the fit lie
/// where their components have variance, so that what happens to new ones does not show on them;
/// they are therefore carried twice, as they are and nudged by normal noise: a tenth of every
/// feature's standard deviation over all groups given.
///
/// @param groups               samples of groups of the model, such as those that it was fitted to
/// @param barycentric_weights  one per group of the model, or none
[[nodiscard]] std::optional<std::string> displacement_warning(
    const TransportModel& model, std::span<const Group> groups,
    std::span<const double> barycentric_weights = {}, const Execution& execution = {});

}  // namespace lbw
