// SPDX-License-Identifier: MIT
// The files of each room, and the rooms that it may use.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/source_tree.hpp"

namespace lbw::architecture {

/// The rooms of src/, from the foundation up: a room may use those before it.
[[nodiscard]] std::span<const std::string_view> room_order();

/// The room of a public header, by its name in <lbw/...>, or an empty string.
[[nodiscard]] std::string header_owner(const std::string& header);

/// The rooms whose headers a room may include.
struct Reach {
  std::set<std::string> all_headers;     ///< itself, the rooms after USES, and those that they use
  std::set<std::string> public_headers;  ///< these, the rooms after PUBLIC, and those that they use
};

[[nodiscard]] std::map<std::string, Reach> rooms_in_reach(const SourceTree& tree);

/// Lines of USES or PUBLIC with an unknown room or one that does not come before.
[[nodiscard]] std::vector<std::string> uses_violations(const SourceTree& tree);

}  // namespace lbw::architecture
