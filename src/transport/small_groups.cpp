// SPDX-License-Identifier: MIT
#include <lbw/small_groups.hpp>

#include "core/message.hpp"

namespace lbw {

std::string_view to_string(SmallGroups small_groups) {
  return small_groups == SmallGroups::error ? "error" : "keep";
}

SmallGroups small_groups_from(std::string_view name) {
  for (const SmallGroups choice : {SmallGroups::error, SmallGroups::keep}) {
    if (to_string(choice) == name) return choice;
  }
  throw InvalidArgument(
      message("small_groups: '", name, "' is unknown, expected 'error' or 'keep'"));
}

}  // namespace lbw
