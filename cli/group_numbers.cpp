// SPDX-License-Identifier: MIT
#include "cli/group_numbers.hpp"

#include <algorithm>

namespace lbw::cli {

void check_group_names(const std::string& option, std::span<const std::string> names,
                       std::span<const std::string> groups) {
  const std::string expected = ", expected each of " + quoted_list(groups) + " once";
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::ranges::find(groups, *name) == groups.end()) {
      throw InvalidArgument(option + " names '" + *name + "', which is not a group" + expected +
                            suggestion(*name, groups));
    }
    if (std::find(names.begin(), name, *name) != name) {
      throw InvalidArgument(option + " names '" + *name + "' twice" + expected);
    }
  }
  std::vector<std::string> missing;
  for (const std::string& group : groups) {
    if (std::ranges::find(names, group) == names.end()) missing.push_back(group);
  }
  if (!missing.empty()) {
    throw InvalidArgument(option + " has no number for " + quoted_list(missing) + expected);
  }
}

}  // namespace lbw::cli
