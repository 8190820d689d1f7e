// SPDX-License-Identifier: MIT
#include <lbw/parity.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "report/numpy_random.hpp"
#include "report/parity_interval.hpp"
#include "report/sorted_scores.hpp"

namespace lbw {

namespace {

void check_parity_options(const ParityOptions& options, const char* function) {
  require(options.n_permutations >= 0, function, ": n_permutations is ", options.n_permutations,
          ", expected >= 0");
  require(options.n_bootstraps >= 0, function, ": n_bootstraps is ", options.n_bootstraps,
          ", expected >= 0");
  require(options.confidence > 0.0 && options.confidence < 1.0, function, ": confidence is ",
          options.confidence, ", expected between 0 and 1");
}

/// The distance of two groups. It is a ratio of whole numbers, rounded once, so that equal
/// distances are bitwise equal.
double distance_of_pair(const SortedScores& scores, std::span<const int> groups, int a, int b,
                        ParityKind kind) {
  const Index size_a = at(scores.sizes, a);
  const Index size_b = at(scores.sizes, b);
  // n_a n_b (F_a - F_b), which ends at 0, so the largest is >= 0 and the smallest <= 0
  Index walk = 0;
  Index above = 0;
  Index below = 0;
  std::size_t first = 0;
  for (const std::size_t end : scores.ends) {
    for (; first <= end; ++first) {
      walk += groups[first] == a ? size_b : groups[first] == b ? -size_a : 0;
    }
    above = std::max(above, walk);
    below = std::max(below, -walk);
  }
  const Index distance = kind == ParityKind::ks ? std::max(above, below) : above + below;
  return static_cast<double>(distance) / static_cast<double>(size_a * size_b);
}

double largest_distance(const SortedScores& scores, std::span<const int> groups, ParityKind kind) {
  const int n_groups = static_cast<int>(scores.sizes.size());
  double largest = 0.0;
  for (int a = 0; a < n_groups; ++a) {
    for (int b = a + 1; b < n_groups; ++b) {
      largest = std::max(largest, distance_of_pair(scores, groups, a, b, kind));
    }
  }
  return largest;
}

double largest_mean_difference(std::span<const double> scores, std::span<const int> groups,
                               const std::vector<Index>& sizes) {
  std::vector<double> means(sizes.size(), 0.0);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    means[to_size(Index{groups[i]})] += scores[i];
  }
  for (std::size_t g = 0; g < means.size(); ++g) means[g] /= static_cast<double>(sizes[g]);
  const auto [least, most] = std::ranges::minmax(means);
  return most - least;
}

/// The quantile between neighbouring values, by linear interpolation.
double linear_quantile(std::vector<double> values, double fraction) {
  std::ranges::sort(values);
  const double place = static_cast<double>(values.size() - 1) * fraction;
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  const double part = place - static_cast<double>(low);
  const double step = values[high] - values[low];
  return part < 0.5 ? values[low] + step * part : values[high] - step * (1.0 - part);
}

ParityNull null_of(const std::vector<double>& permuted, double value, double confidence) {
  const auto n_reached =
      std::ranges::count_if(permuted, [value](double other) { return other >= value; });
  const auto n = static_cast<double>(permuted.size());
  return {std::accumulate(permuted.begin(), permuted.end(), 0.0) / n,
          linear_quantile(permuted, confidence), static_cast<double>(1 + n_reached) / (1.0 + n)};
}

template <typename Statistic>
Parity with_null(std::span<const int> groups, const ParityOptions& options, std::uint32_t seed,
                 Statistic&& statistic) {
  Parity parity{statistic(groups)};
  if (options.n_permutations == 0) return parity;
  NumpyRandom random(seed);
  const std::vector<int> observed(groups.begin(), groups.end());
  std::vector<double> permuted;
  for (int i = 0; i < options.n_permutations; ++i) {
    permuted.push_back(statistic(random.permutation(observed)));
  }
  parity.null = null_of(permuted, parity.value, options.confidence);
  return parity;
}

/// The seeds of the permutations and of the bootstrap.
std::pair<std::uint32_t, std::uint32_t> seeds_of(std::uint32_t seed) {
  NumpyRandom random(seed);
  constexpr std::uint32_t most = 0x7FFFFFFF;
  const std::uint32_t first = random.up_to(most);
  return {first, random.up_to(most)};
}

}  // namespace

Parity demographic_parity_gamma(std::span<const double> scores, std::span<const int> groups,
                                const ParityOptions& options) {
  constexpr const char* function = "demographic_parity_gamma";
  check_parity_options(options, function);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    require(!std::isnan(scores[i]), function, ": scores is NaN at row ", i);
  }
  std::vector<Index> sizes = sizes_of_groups(groups, scores.size(), function);
  SortedScores sorted = sorted_scores(scores, groups, options.rounding);
  sorted.sizes = std::move(sizes);
  const auto [permutation_seed, bootstrap_seed] = seeds_of(options.seed);
  Parity parity =
      with_null(sorted.groups, options, permutation_seed, [&](std::span<const int> permuted) {
        return largest_distance(sorted, permuted, options.kind);
      });
  if (options.n_bootstraps > 0)
    parity.interval = distance_interval(sorted, options, bootstrap_seed);
  return parity;
}

Parity mean_difference(std::span<const double> scores, std::span<const int> groups,
                       const ParityOptions& options) {
  constexpr const char* function = "mean_difference";
  check_parity_options(options, function);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    require(std::isfinite(scores[i]), function, ": scores is ", scores[i], " at row ", i,
            ", expected finite values");
  }
  const std::vector<Index> sizes = sizes_of_groups(groups, scores.size(), function);
  return with_null(groups, options, seeds_of(options.seed).first,
                   [&](std::span<const int> permuted) {
                     return largest_mean_difference(scores, permuted, sizes);
                   });
}

}  // namespace lbw
