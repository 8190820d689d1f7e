// SPDX-License-Identifier: MIT
#include "architecture/doc_paths.hpp"

#include <array>
#include <filesystem>
#include <regex>

#include "architecture/source_tree.hpp"

namespace lbw::architecture {
namespace {

constexpr std::array<const char*, 11> folders = {".ci/",      "cli/",      "cmake/",   "demo/",
                                                 "docs/",     "examples/", "include/", "python/",
                                                 "research/", "src/",      "tests/"};

std::vector<std::string> matches(const std::string& line, const std::regex& pattern) {
  std::vector<std::string> found;
  for (auto match = std::sregex_iterator(line.begin(), line.end(), pattern);
       match != std::sregex_iterator(); ++match) {
    found.push_back((*match)[1].str());
  }
  return found;
}

bool is_repository_path(const std::string& word) {
  if (word.find_first_of("*<{$ ") != std::string::npos) return false;
  for (const char* folder : folders) {
    if (word.rfind(folder, 0) == 0) return true;
  }
  return false;
}

bool is_web_or_anchor(const std::string& target) {
  return target.empty() || target.front() == '#' || target.find(':') != std::string::npos;
}

}  // namespace

std::vector<std::string> missing_paths(const std::string& document, const std::string& text,
                                       const std::function<bool(const std::string&)>& exists) {
  static const std::regex link("\\]\\(([^)# ]*)[^)]*\\)");
  static const std::regex code("`([^`]+)`");
  const std::filesystem::path folder = std::filesystem::path(document).parent_path();
  std::vector<std::string> missing;
  const auto look_at = [&](const std::string& path) {
    if (!exists(path)) missing.push_back(path);
  };
  bool in_block = false;
  for (const std::string& line : lines_of(text)) {
    if (line.rfind("```", 0) == 0) in_block = !in_block;
    if (in_block) continue;
    for (const std::string& target : matches(line, link)) {
      if (!is_web_or_anchor(target)) look_at((folder / target).lexically_normal().generic_string());
    }
    for (const std::string& word : matches(line, code)) {
      if (is_repository_path(word)) look_at(word);
    }
  }
  return missing;
}

}  // namespace lbw::architecture
