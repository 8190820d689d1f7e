// SPDX-License-Identifier: MIT
// Step 1 of Algorithm 2: a mixture for every group.
#pragma once

#include <lbw/fit_transport.hpp>
#include <vector>

namespace lbw {

struct GroupFits {
  std::vector<Mixture> mixtures;         ///< one per group
  std::vector<GroupReport> reports;      ///< likewise
  std::vector<std::string> kept_groups;  ///< the groups that are too small to fit
};

/// Fits a mixture to every group and shrinks them towards each other (shrink_groups). A group that
/// is too small to fit gets the mixture of the largest group, so that all groups can be coupled in
/// the same way. No map uses that mixture.
[[nodiscard]] GroupFits fit_mixtures(std::span<const Group> groups,
                                     const TransportOptions& options);

}  // namespace lbw
