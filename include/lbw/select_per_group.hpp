// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/select_components.hpp>
#include <lbw/transport.hpp>
#include <span>
#include <vector>

namespace lbw {

struct GroupSelections {
  std::vector<SelectionResult> groups;  ///< one per group, in their order
  /// The number of each: TransportOptions::n_components_per_group. Where they differ, a model needs
  /// CouplingMethod::plan or multimarginal.
  std::vector<int> n_components;
};

/// select_components for every group: each chooses its own number.
///
/// @param groups        one or more, without sample weights
/// @param n_components  the numbers to try, the same for all
/// @throws InvalidArgument  naming the group
[[nodiscard]] GroupSelections select_components_per_group(std::span<const Group> groups,
                                                          std::span<const int> n_components,
                                                          const SelectionOptions& options = {});

}  // namespace lbw
