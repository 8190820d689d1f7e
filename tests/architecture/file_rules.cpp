// SPDX-License-Identifier: MIT
#include "architecture/file_rules.hpp"

#include <algorithm>

#include "architecture/rooms.hpp"

namespace lbw::architecture {
namespace {

bool is_listed(const SourceTree& tree, const std::string& folder, const std::string& file) {
  const auto list = tree.find(folder + "/CMakeLists.txt");
  if (list == tree.end()) return false;
  for (const char* keyword : {"SOURCES", "KERNELS"}) {
    const std::vector<std::string> sources = words_after(keyword, list->second);
    if (std::find(sources.begin(), sources.end(), file) != sources.end()) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> header_violations(const SourceTree& tree) {
  std::vector<std::string> violations;
  const auto umbrella = tree.find("include/lbw/lbw.hpp");
  for (const auto& [path, text] : tree) {
    if (room_below("include", path) != "lbw" || path == "include/lbw/lbw.hpp") continue;
    const std::string header = path.substr(std::string("include/lbw/").size());
    if (header_owner(header).empty()) violations.push_back(path + ": no room owns it");
    if (umbrella == tree.end() ||
        umbrella->second.find("#include <lbw/" + header + ">") == std::string::npos) {
      violations.push_back(path + ": lbw.hpp does not include it");
    }
  }
  return violations;
}

std::vector<std::string> unlisted_sources(const SourceTree& tree) {
  std::vector<std::string> unlisted;
  for (const auto& [path, text] : tree) {
    const bool is_room_file = !room_below("src", path).empty() && path.ends_with(".cpp");
    const bool is_test = !room_below("tests", path).empty() && path.ends_with("_test.cpp");
    const std::size_t slash = path.rfind('/');
    if ((is_room_file || is_test) &&
        !is_listed(tree, path.substr(0, slash), path.substr(slash + 1))) {
      unlisted.push_back(path);
    }
  }
  return unlisted;
}

std::vector<std::string> long_files(const SourceTree& tree, std::size_t max_lines) {
  std::vector<std::string> files;
  for (const auto& [path, text] : tree) {
    const bool is_source = path.ends_with(".cpp") || path.ends_with(".hpp");
    const std::size_t n_lines = lines_of(text).size();
    if (is_source && n_lines > max_lines) {
      files.push_back(path + ": " + std::to_string(n_lines) + " lines");
    }
  }
  return files;
}

}  // namespace lbw::architecture
