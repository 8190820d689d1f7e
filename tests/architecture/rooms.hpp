// SPDX-License-Identifier: MIT
// Which room owns what, and which rooms it may use.
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

/// The room that a public header belongs to, by its name in <lbw/...>; empty when it has none.
[[nodiscard]] std::string header_owner(const std::string& header);

/// For every room of the tree the rooms that it may include: itself, those of its USES, and theirs.
[[nodiscard]] std::map<std::string, std::set<std::string>> rooms_in_reach(const SourceTree& tree);

/// Lines of USES that name an unknown room or one that does not come before.
[[nodiscard]] std::vector<std::string> uses_violations(const SourceTree& tree);

}  // namespace lbw::architecture
