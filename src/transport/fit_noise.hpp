// SPDX-License-Identifier: MIT
// The dither of a model, and the samples that its mixtures are fitted to.
#pragma once

#include <lbw/fit_transport.hpp>
#include <memory>
#include <vector>

#include "transport/dither.hpp"
#include "transport/group_source.hpp"

namespace lbw {

/// The noise for features that take few values (TransportOptions::dither). It is empty if the
/// options ask for none or if no feature needs it.
[[nodiscard]] Noise find_noise(std::span<const Group> groups, const TransportOptions& options);

/// Groups and the sources that add noise to their rows.
struct DitheredGroups {
  std::vector<Group> groups;
  std::vector<std::unique_ptr<NoisySource>> sources;
};

/// The groups with noise added to their samples, which they then own. Without noise, they refer to
/// the same samples as before.
[[nodiscard]] DitheredGroups dithered_groups(std::span<const Group> groups, const Noise& noise,
                                             std::uint64_t seed, const Execution& execution);

}  // namespace lbw
