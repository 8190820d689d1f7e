// SPDX-License-Identifier: MIT
#include "architecture/rooms.hpp"

#include <algorithm>
#include <array>

namespace lbw::architecture {
namespace {

constexpr std::array<std::string_view, 11> order = {"core",    "linalg",   "device",   "gaussian",
                                                    "mixture", "matching", "quantile", "transport",
                                                    "report",  "io",       "picture"};

/// The rooms after a keyword in the CMakeLists.txt of every room.
std::map<std::string, std::vector<std::string>> named_by_room(const std::string& keyword,
                                                              const SourceTree& tree) {
  std::map<std::string, std::vector<std::string>> named;
  for (const auto& [path, text] : tree) {
    const std::string room = room_below("src", path);
    if (!room.empty() && path == "src/" + room + "/CMakeLists.txt") {
      named[room] = words_after(keyword, text);
    }
  }
  return named;
}

std::ptrdiff_t rank_of(const std::string& room) {
  const auto found = std::find(order.begin(), order.end(), room);
  return found == order.end() ? -1 : found - order.begin();
}

/// Reports the rooms used by `room` that do not exist or do not come before it.
void add_misplaced(const std::string& beginning, const std::string& room,
                   const std::vector<std::string>& uses, std::vector<std::string>& violations) {
  for (const std::string& used : uses) {
    if (rank_of(used) < 0) {
      violations.push_back(beginning + used + ", which is no room");
    } else if (rank_of(used) >= rank_of(room)) {
      violations.push_back(beginning + used + ", which does not come before " + room);
    }
  }
}

}  // namespace

std::span<const std::string_view> room_order() { return order; }

std::string header_owner(const std::string& header) {
  static const std::map<std::string, std::set<std::string>> owned = {
      {"core", {"matrix", "options", "samples", "suggestion", "types", "version"}},
      {"device", {"moment_sums"}},
      {"gaussian", {"gaussian"}},
      {"mixture", {"fit_mixture", "mixture", "sample_source"}},
      {"matching", {"assignment"}},
      {"quantile", {"quantile"}},
      {"transport", {"deprecated", "dither", "fit_transport", "transport"}},
      {"report", {"parity", "report"}},
      {"io", {"io", "tensor_file"}},
      {"picture", {"picture"}},
  };
  for (const auto& [room, headers] : owned) {
    for (const std::string& name : headers) {
      if (header == name + ".hpp") return room;
    }
  }
  return {};
}

std::map<std::string, Reach> rooms_in_reach(const SourceTree& tree) {
  const auto uses = named_by_room("USES", tree);
  auto uses_public = named_by_room("PUBLIC", tree);
  std::map<std::string, Reach> reach;
  for (const std::string_view name : order) {  // so that the used rooms are complete first
    const std::string room(name);
    const auto own = uses.find(room);
    if (own == uses.end()) continue;
    Reach& of_room = reach[room];
    of_room = {{room}, {room}};
    for (const std::string& used : own->second) {
      of_room.all_headers.merge(std::set(reach[used].all_headers));
      of_room.public_headers.merge(std::set(reach[used].public_headers));
    }
    for (const std::string& used : uses_public[room]) {
      of_room.public_headers.merge(std::set(reach[used].public_headers));
    }
  }
  return reach;
}

std::vector<std::string> uses_violations(const SourceTree& tree) {
  std::vector<std::string> violations;
  for (const auto& [room, uses] : named_by_room("USES", tree)) {
    const std::string file = "src/" + room + "/CMakeLists.txt: ";
    if (rank_of(room) < 0) violations.push_back(file + "room " + room + " has no place in order");
    add_misplaced(file + "USES ", room, uses, violations);
  }
  for (const auto& [room, uses] : named_by_room("PUBLIC", tree)) {
    add_misplaced("src/" + room + "/CMakeLists.txt: PUBLIC ", room, uses, violations);
  }
  return violations;
}

}  // namespace lbw::architecture
