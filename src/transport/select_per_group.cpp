// SPDX-License-Identifier: MIT
#include <lbw/fit_transport.hpp>

#include "core/message.hpp"

namespace lbw {

namespace {

SelectionResult select_for(const Group& group, std::span<const int> n_components,
                           const SelectionOptions& options) {
  try {
    return select_components(group.samples, n_components, options, group.sample_weights);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(message("group '", group.name, "': ", error.what()));
  } catch (const NumericalError& error) {
    throw NumericalError(message("group '", group.name, "': ", error.what()));
  }
}

}  // namespace

GroupSelections select_components_per_group(std::span<const Group> groups,
                                            std::span<const int> n_components,
                                            const SelectionOptions& options) {
  require(!groups.empty(), "select_components_per_group: groups is empty, expected one or more");
  GroupSelections selections;
  for (const Group& group : groups) {
    selections.groups.push_back(select_for(group, n_components, options));
    selections.n_components.push_back(selections.groups.back().n_components);
  }
  return selections;
}

}  // namespace lbw
