// SPDX-License-Identifier: MIT
#include "report/permutations.hpp"

#include <algorithm>
#include <cmath>
#include <lbw/types.hpp>

#include "core/indexing.hpp"
#include "core/message.hpp"

namespace lbw {

namespace {

// distinct from those of restarts
constexpr std::uint64_t permutation_stream = 0x6465616c;
constexpr std::uint64_t half_stream = 0x68616c66;

void shuffle(Membership& permutation, Random& random) {
  for (std::size_t last = permutation.size() - 1; last > 0; --last) {  // Fisher-Yates
    const auto other = static_cast<std::size_t>(random.below(last + 1));
    const bool kept = permutation[last];
    permutation[last] = permutation[other];
    permutation[other] = kept;
  }
}

}  // namespace

Membership membership_of(Index n_first, Index n_second) {
  Membership membership(to_size(n_first), false);
  membership.resize(to_size(n_first + n_second), true);
  return membership;
}

std::vector<Membership> random_permutations(Index n_first, Index n_second, int n_permutations,
                                            std::uint64_t seed) {
  std::vector<Membership> permutations;
  Random random(seed, permutation_stream);
  Membership permutation = membership_of(n_first, n_second);
  for (int i = 0; i < n_permutations; ++i) {
    shuffle(permutation, random);
    permutations.push_back(permutation);
  }
  return permutations;
}

Membership random_halves(Index n_points, std::uint64_t seed) {
  Random random(seed, half_stream);
  Membership halves = membership_of(n_points - n_points / 2, n_points / 2);
  shuffle(halves, random);
  return halves;
}

PermutationNull null_of(const Vector& values) {
  std::vector<double> statistics(values.begin() + 1, values.end());
  if (statistics.empty()) return {};
  PermutationNull null;
  null.n_permutations = static_cast<int>(statistics.size());
  const auto n = static_cast<double>(statistics.size());
  Index n_as_large = 1;
  for (const double statistic : statistics) {
    null.mean += statistic / n;
    n_as_large += statistic >= values[0] ? 1 : 0;
  }
  for (const double statistic : statistics) {
    null.deviation += (statistic - null.mean) * (statistic - null.mean) / n;
  }
  null.deviation = std::sqrt(null.deviation);
  null.p_value = static_cast<double>(n_as_large) / (n + 1.0);
  std::sort(statistics.begin(), statistics.end());
  null.quantile = statistics[static_cast<std::size_t>(std::ceil(0.95 * n)) - 1];
  return null;
}

void check_permutations(int n_permutations, const char* function) {
  require(n_permutations >= 0, function, ": n_permutations is ", n_permutations,
          ", expected 0 (none) or more");
}

void check_two_samples(SampleView first, SampleView second, const Execution& execution,
                       const char* function) {
  check_execution(execution, function);
  check_samples(first, function, "first", execution);
  check_samples(second, function, "second", execution);
  require(first.n_features() == second.n_features(), function, ": first has ",
          counted(first.n_features(), "feature"), " and second ", second.n_features(),
          ", expected equal numbers");
}

}  // namespace lbw
