// SPDX-License-Identifier: MIT
#include "architecture/source_tree.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lbw::architecture {
namespace {

const std::filesystem::path& root() {
  static const std::filesystem::path path = LBW_SOURCE_DIR;
  return path;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return text.str();
}

void add_file(SourceTree& tree, const std::filesystem::path& path) {
  tree[path.lexically_relative(root()).generic_string()] = text_of(path);
}

}  // namespace

SourceTree read_repository(std::initializer_list<std::string_view> folders) {
  SourceTree tree;
  for (const std::string_view folder : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root() / folder)) {
      if (entry.is_regular_file()) add_file(tree, entry.path());
    }
  }
  return tree;
}

SourceTree read_documents() {
  SourceTree tree = read_repository({"docs"});
  std::erase_if(tree, [](const auto& file) { return !file.first.ends_with(".md"); });
  for (const auto& entry : std::filesystem::directory_iterator(root())) {
    if (entry.path().extension() == ".md") add_file(tree, entry.path());
  }
  return tree;
}

bool in_repository(const std::string& path) { return std::filesystem::exists(root() / path); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_after(const std::string& keyword, const std::string& cmake_text) {
  std::string spaced = cmake_text;
  std::replace_if(
      spaced.begin(), spaced.end(), [](char c) { return c == '(' || c == ')'; }, ' ');
  std::istringstream stream(spaced);
  std::vector<std::string> words;
  bool inside = false;
  for (std::string word; stream >> word;) {
    const bool is_keyword =
        std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isupper(c) != 0; });
    if (is_keyword) {
      inside = word == keyword;
    } else if (inside) {
      words.push_back(word);
    }
  }
  return words;
}

std::string room_below(std::string_view area, const std::string& path) {
  if (path.rfind(std::string(area) + "/", 0) != 0) return {};
  const std::size_t begin = area.size() + 1;
  const std::size_t end = path.find('/', begin);
  return end == std::string::npos ? std::string() : path.substr(begin, end - begin);
}

}  // namespace lbw::architecture
