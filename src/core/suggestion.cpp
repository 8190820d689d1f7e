// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/suggestion.hpp>
#include <vector>

namespace lbw {

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

std::string suggestion(std::string_view typed, std::span<const std::string> words) {
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

}  // namespace lbw
