// SPDX-License-Identifier: MIT
#include "report/sorted_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/indexing.hpp"
#include "core/message.hpp"

namespace lbw {

namespace {

/// Where groups of the width of the tolerance begin among `scores`, from the lowest upwards.
void cut(std::span<const double> scores, double rounding, std::vector<bool>& starts,
         std::size_t offset) {
  for (std::size_t place = 0; place < scores.size();) {
    starts[offset + place] = true;
    const double end = scores[place] + rounding * std::abs(scores[place]);
    const auto next =
        std::upper_bound(scores.begin() + static_cast<Index>(place) + 1, scores.end(), end);
    place = to_size(next - scores.begin());
  }
}

/// Whether each of the sorted, finite scores begins a run of scores that are equal up to rounding.
/// Scores are grouped where the gap to the next one is wide. Scores that lie densely, so that such
/// a group is wider than rounding makes it, are cut into groups of the width of the tolerance.
std::vector<bool> starts_of_runs(std::span<const double> scores, double rounding) {
  std::vector<bool> starts(scores.size(), true);
  for (std::size_t i = 1; i < scores.size(); ++i) {
    starts[i] = scores[i] - scores[i - 1] > rounding * std::abs(scores[i]);
  }
  for (std::size_t first = 0; first < scores.size();) {
    std::size_t next = first + 1;
    while (next < scores.size() && !starts[next]) ++next;
    const double last = scores[next - 1];
    if (last - scores[first] > 2.0 * (rounding * std::abs(last))) {
      cut(scores.subspan(first, next - first), rounding, starts, first);
    }
    first = next;
  }
  return starts;
}

}  // namespace

std::vector<Index> sizes_of_groups(std::span<const int> groups, std::size_t n_scores,
                                   const char* function) {
  require(groups.size() == n_scores, function, ": groups has ", counted(groups.size(), "entry"),
          " for ", counted(n_scores, "score"));
  std::vector<Index> sizes;
  for (const int group : groups) {
    require(group >= 0 && to_size(Index{group}) < groups.size(), function, ": groups contains ",
            group, ", expected 0, 1, ...");
    if (to_size(Index{group}) >= sizes.size()) sizes.resize(to_size(Index{group}) + 1);
    ++sizes[to_size(Index{group})];
  }
  require(sizes.size() > 1, function, ": there is ", counted(sizes.size(), "group"),
          ", expected two or more");
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    require(sizes[g] > 0, function, ": group ", g, " has no scores");
  }
  return sizes;
}

SortedScores sorted_scores(std::span<const double> scores, std::span<const int> groups,
                           double rounding) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return scores[i]; });
  std::vector<double> finite;
  std::size_t n_low = 0;  // scores of minus infinity
  for (const std::size_t i : order) {
    if (std::isfinite(scores[i])) finite.push_back(scores[i]);
    n_low += !std::isfinite(scores[i]) && scores[i] < 0.0;
  }
  SortedScores result;
  const std::vector<bool> starts = starts_of_runs(finite, rounding);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const std::size_t next = i + 1 - std::min(n_low, i + 1);  // among the finite scores
    const bool both_finite = i >= n_low && next < finite.size();
    if (both_finite ? starts[next] : scores[order[i]] != scores[order[i + 1]]) {
      result.ends.push_back(i);
    }
  }
  result.ends.push_back(order.size() - 1);
  std::size_t first = 0;
  for (const std::size_t end : result.ends) {  // equal scores keep the order of the rows
    std::sort(order.begin() + static_cast<Index>(first),
              order.begin() + static_cast<Index>(end) + 1);
    first = end + 1;
  }
  for (const std::size_t i : order) result.groups.push_back(groups[i]);
  return result;
}

}  // namespace lbw
