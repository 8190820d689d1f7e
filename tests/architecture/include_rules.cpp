// SPDX-License-Identifier: MIT
#include "architecture/include_rules.hpp"

#include <regex>
#include <set>

#include "architecture/rooms.hpp"

namespace lbw::architecture {
namespace {

constexpr const char* public_folder = "include/lbw/";

struct Include {
  std::string target;
  bool quoted = false;
  std::size_t line = 0;
};

std::vector<Include> includes_of(const std::string& text) {
  static const std::regex pattern("^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"].*");
  std::vector<Include> includes;
  std::size_t number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    std::smatch match;
    if (std::regex_match(line, match, pattern)) {
      includes.push_back({match[2].str(), match[1].str() == "\"", number});
    }
  }
  return includes;
}

bool starts_with(const std::string& text, const std::string& beginning) {
  return text.rfind(beginning, 0) == 0;
}

/// The place of a file: a public or private file of a room, or a file of cli, demo or
/// research/bench, which are `outside`.
struct Place {
  std::string name;  // the room, or cli, demo or research/bench
  bool is_public = false;
  bool is_outside = false;
  bool is_system = false;  // a file that speaks to the operating system
};

bool is_system_file(const std::string& path) {
  const bool is_cpp = path.ends_with(".cpp");
  return is_cpp && (starts_with(path, "src/core/system_") || starts_with(path, "cli/system_"));
}

Place place_of(const std::string& path) {
  if (starts_with(path, public_folder)) {
    return {header_owner(path.substr(std::string(public_folder).size())), true, false};
  }
  if (const std::string room = room_below("src", path); !room.empty()) return {room, false, false};
  if (starts_with(path, "research/bench/")) return {"research/bench", false, true};
  return {path.substr(0, path.find('/')), false, true};
}

/// Headers of the operating system, and of the signals that C++ has from it.
bool is_system_header(const std::string& target) {
  return target.ends_with(".h") || target == "csignal";
}

/// Headers of other libraries and the rooms that may include them. A name ending in / is a folder.
bool is_external_allowed(const std::string& target, const Place& place) {
  struct Owned {
    const char* header;
    std::set<std::string> owners;
  };
  static const std::vector<Owned> owned = {
      {"Eigen/Cholesky", {"linalg"}},
      {"Eigen/Dense", {"linalg"}},
      {"Eigen/Eigenvalues", {"linalg"}},
      {"Eigen/LU", {"linalg"}},
      {"Eigen/QR", {"linalg"}},
      {"Eigen/SVD", {"linalg"}},
      {"hwy/", {"device", "gaussian", "linalg", "matching", "quantile", "research/bench"}},
      {"nlohmann/", {"cli", "io", "research/bench"}},
      {"spng.h", {"picture"}},
      {"zlib.h", {"io"}},
      {"zstd.h", {"io"}},
      {"CLI/", {"cli"}},
      {"benchmark/", {"research/bench"}},
      {"omp.h", {"research/bench"}},
  };
  for (const Owned& entry : owned) {
    if (starts_with(target, entry.header))
      return !place.is_public && entry.owners.count(place.name);
  }
  if (starts_with(target, "Eigen/")) return true;
  if (is_system_header(target)) return place.is_system;
  return target.find_first_of("./") == std::string::npos;  // the standard library
}

class Checker {
 public:
  explicit Checker(const SourceTree& tree) : tree_(tree), reach_(rooms_in_reach(tree)) {}

  /// The reason why the file may not have this include, or an empty string if it may.
  std::string reason(const std::string& path, const Include& include) const {
    Place place = place_of(path);
    place.is_system = is_system_file(path);
    if (place.name.empty()) return "";  // lbw.hpp, and headers that header_violations reports
    if (starts_with(include.target, "lbw/")) return public_reason(place, include);
    if (include.quoted) return private_reason(place, include.target);
    if (is_external_allowed(include.target, place)) return "";
    return "not a header for " + (place.is_public ? "public use" : place.name);
  }

 private:
  std::string public_reason(const Place& place, const Include& include) const {
    if (include.quoted) return "a public header is included as <" + include.target + ">";
    const std::string header = include.target.substr(4);
    if (header == "lbw.hpp") return place.is_outside ? "" : "lbw.hpp is for users of the library";
    const std::string owner = header_owner(header);
    if (owner.empty()) return "no room owns it";
    return place.is_outside ? "" : use_reason(place.name, owner, true);
  }

  std::string private_reason(const Place& place, const std::string& target) const {
    if (place.is_public) return "a public header includes no private file";
    if (place.is_outside) {
      const bool is_own = tree_.count(place.name + "/" + target) || tree_.count(target);
      return is_own && room_below("src", target).empty() ? "" : place.name + " has no such file";
    }
    if (!tree_.count("src/" + target)) return "there is no src/" + target;
    return use_reason(place.name, target.substr(0, target.find('/')), false);
  }

  std::string use_reason(const std::string& room, const std::string& used, bool is_public) const {
    const auto own = reach_.find(room);
    const bool sees_public = own != reach_.end() && own->second.public_headers.count(used) > 0;
    const bool sees_all = own != reach_.end() && own->second.all_headers.count(used) > 0;
    if (is_public ? sees_public : sees_all) return "";
    return room + " does not use " + (sees_public ? "private headers of " : "") + used;
  }

  const SourceTree& tree_;
  std::map<std::string, Reach> reach_;
};

bool is_checked(const std::string& path) {
  if (!path.ends_with(".cpp") && !path.ends_with(".hpp")) return false;
  for (const char* area : {public_folder, "src/", "cli/", "demo/", "research/bench/"}) {
    if (starts_with(path, area)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> include_violations(const SourceTree& tree) {
  const Checker checker(tree);
  std::vector<std::string> violations;
  for (const auto& [path, text] : tree) {
    if (!is_checked(path)) continue;
    for (const Include& include : includes_of(text)) {
      const std::string reason = checker.reason(path, include);
      if (reason.empty()) continue;
      violations.push_back(path + ":" + std::to_string(include.line) + ": " + include.target +
                           ": " + reason);
    }
  }
  return violations;
}

}  // namespace lbw::architecture
