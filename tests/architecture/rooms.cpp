// SPDX-License-Identifier: MIT
#include "architecture/rooms.hpp"

#include <algorithm>
#include <array>

namespace lbw::architecture {
namespace {

constexpr std::array<std::string_view, 10> order = {"core",    "linalg",   "device",   "gaussian",
                                                    "mixture", "matching", "quantile", "transport",
                                                    "report",  "io"};

std::map<std::string, std::vector<std::string>> uses_by_room(const SourceTree& tree) {
  std::map<std::string, std::vector<std::string>> uses;
  for (const auto& [path, text] : tree) {
    const std::string room = room_below("src", path);
    if (!room.empty() && path == "src/" + room + "/CMakeLists.txt") {
      uses[room] = words_after("USES", text);
    }
  }
  return uses;
}

std::ptrdiff_t place_of(const std::string& room) {
  const auto found = std::find(order.begin(), order.end(), room);
  return found == order.end() ? -1 : found - order.begin();
}

}  // namespace

std::span<const std::string_view> room_order() { return order; }

std::string header_owner(const std::string& header) {
  static const std::map<std::string, std::set<std::string>> owned = {
      {"core", {"matrix", "options", "samples", "types", "version"}},
      {"device", {"moment_sums"}},
      {"gaussian", {"gaussian"}},
      {"mixture", {"fit_mixture", "mixture"}},
      {"matching", {"assignment"}},
      {"quantile", {"quantile"}},
      {"transport", {"deprecated", "dither", "fit_transport", "transport"}},
      {"report", {"report"}},
      {"io", {"model_io", "picture", "table_io"}},
  };
  for (const auto& [room, headers] : owned) {
    for (const std::string& name : headers) {
      if (header == name + ".hpp") return room;
    }
  }
  return {};
}

std::map<std::string, std::set<std::string>> rooms_in_reach(const SourceTree& tree) {
  const auto uses = uses_by_room(tree);
  std::map<std::string, std::set<std::string>> reach;
  for (const std::string_view name : order) {  // so that what a room uses is complete before it
    const std::string room(name);
    const auto own = uses.find(room);
    if (own == uses.end()) continue;
    reach[room].insert(room);
    for (const std::string& used : own->second) reach[room].merge(std::set(reach[used]));
  }
  return reach;
}

std::vector<std::string> uses_violations(const SourceTree& tree) {
  std::vector<std::string> violations;
  for (const auto& [room, uses] : uses_by_room(tree)) {
    const std::string file = "src/" + room + "/CMakeLists.txt: ";
    if (place_of(room) < 0) violations.push_back(file + "room " + room + " has no place in order");
    for (const std::string& used : uses) {
      if (place_of(used) < 0) {
        violations.push_back(file + "USES " + used + ", which is no room");
      } else if (place_of(used) >= place_of(room)) {
        violations.push_back(file + "USES " + used + ", which does not come before " + room);
      }
    }
  }
  return violations;
}

}  // namespace lbw::architecture
