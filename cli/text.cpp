// SPDX-License-Identifier: MIT
#include "cli/text.hpp"

#include <algorithm>
#include <filesystem>

namespace lbw::cli {

namespace {

/// The number of letters to insert, remove, replace or swap with their neighbour (restricted edit
/// distance).
std::size_t keys_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

}  // namespace

std::string suggestion(std::string_view typed, const std::vector<std::string>& words) {
  constexpr std::size_t longest = 64;
  std::size_t least = std::clamp<std::size_t>(typed.size() / 3, 1, 3) + 1;
  const std::string* nearest = nullptr;
  for (const std::string& word : words) {
    if (word.size() > longest || typed.size() > longest) continue;
    const std::size_t keys = keys_between(lower(typed), lower(word));
    if (keys >= least || keys >= word.size()) continue;
    least = keys;
    nearest = &word;
  }
  return nearest == nullptr ? "" : "; did you mean '" + *nearest + "'?";
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string fixed(double value, int digits) {
  char buffer[512];  // the largest double has 309 digits before the decimal point
  const auto [end, error] =
      std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::fixed, digits);
  return {buffer, end};
}

std::string right(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string left(const std::string& text, std::size_t width) {
  return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

std::string extension_of(const std::string& path) {
  return lower(std::filesystem::path(path).extension().string());
}

bool is_npy(const std::string& path) { return extension_of(path) == ".npy"; }

}  // namespace lbw::cli
