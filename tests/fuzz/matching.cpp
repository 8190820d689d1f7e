// SPDX-License-Identifier: MIT
// Matchings: the best and the second best of all permutations.
#include <algorithm>
#include <lbw/assignment.hpp>
#include <limits>
#include <numeric>
#include <vector>

#include "fuzz/fuzz_input.hpp"

using namespace lbw;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The costs of all complete matchings of a matrix with no more rows than columns, ascending.
std::vector<double> all_costs(const RowMatrix& cost) {
  std::vector<Index> columns(static_cast<std::size_t>(cost.cols()));
  std::iota(columns.begin(), columns.end(), 0);
  std::vector<double> sums;
  const auto n_left = static_cast<std::size_t>(cost.cols() - cost.rows());
  do {
    // the order of the columns that are left over is no other matching
    if (!std::is_sorted(columns.end() - static_cast<std::ptrdiff_t>(n_left), columns.end())) {
      continue;
    }
    double sum = 0.0;
    for (Index i = 0; i < cost.rows(); ++i) sum += cost(i, columns[static_cast<std::size_t>(i)]);
    if (sum < infinity) sums.push_back(sum);
  } while (std::ranges::next_permutation(columns).found);
  std::ranges::sort(sums);
  return sums;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::FuzzInput input(data, size);
  const Index rows = input.whole(1, 5);
  const Index columns = input.whole(1, 5);
  RowMatrix cost = input.numbers(rows, columns);
  for (int n = input.whole(0, 6); n > 0; --n) {  // forbidden pairs
    cost(input.whole(0, 255) % rows, input.whole(0, 255) % columns) = infinity;
  }
  Matching best;
  const bool found = fuzz::accepts([&] { best = match(cost); });
  const bool is_exact = (cost.array().abs() <= 1e6 || cost.array() == infinity).all();
  if (!is_exact) return 0;
  const std::vector<double> costs = all_costs(rows <= columns ? cost : RowMatrix(cost.transpose()));
  fuzz::require(found == !costs.empty(), "a matching is found if there is one");
  if (!found) return 0;
  fuzz::require(std::abs(best.cost - costs.front()) <= 1e-9, "no matching is cheaper");
  const RunnerUp next = runner_up(cost);
  if (costs.size() == 1) {
    fuzz::require(next.matching.size() == 0 && next.gap == infinity, "there is no other matching");
  } else {
    fuzz::require(std::abs(next.gap - (costs[1] - costs[0])) <= 1e-9, "the gap is to the next");
  }
  return 0;
}
