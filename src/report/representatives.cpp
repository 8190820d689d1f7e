// SPDX-License-Identifier: MIT
#include "report/representatives.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/indexing.hpp"
#include "mixture/subsample.hpp"
#include "mixture/weighing.hpp"

namespace lbw {

namespace {

constexpr std::uint64_t draw_stream = 0x7765696768;  // distinct from those of restarts

double sum_of(std::span<const double> weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

bool are_whole(std::span<const double> weights) {
  return std::ranges::all_of(weights, [](double weight) { return weight == std::floor(weight); });
}

Index effective_size(std::span<const double> weights) {
  const ScaledWeights scaled(weights);
  double squares = 0.0;
  for (const double weight : scaled.values()) squares += weight * weight;
  const double sum = sum_of(scaled.values());
  return std::max<Index>(1, std::llround(sum * sum / squares));
}

std::vector<Index> repeated(std::span<const double> weights) {
  std::vector<Index> rows;
  for (Index i = 0; i < std::ssize(weights); ++i) {
    rows.insert(rows.end(), static_cast<std::size_t>(at(weights, i)), i);
  }
  return rows;
}

/// One row from each of `size` intervals of equal weight.
std::vector<Index> drawn(std::span<const double> weights, Index size, std::uint64_t seed) {
  const ScaledWeights scaled(weights);
  const std::span<const double> values = scaled.values();
  const double step = sum_of(values) / static_cast<double>(size);
  Random random(seed, draw_stream);
  std::vector<Index> rows;
  Index row = 0;
  Index last = 0;  // of positive weight, for places that rounding puts behind it
  double passed = at(values, row);
  for (Index i = 0; i < size; ++i) {
    const double place = (static_cast<double>(i) + random.uniform()) * step;
    while (passed <= place && row + 1 < std::ssize(values)) passed += at(values, ++row);
    if (at(values, row) > 0.0) last = row;
    rows.push_back(last);
  }
  return rows;
}

std::vector<Index> representative_rows(const Group& group, Index most, std::uint64_t seed) {
  const std::span<const double> weights = group.sample_weights;
  const Index n = group.samples.n_samples();
  if (!weights.empty()) {
    const bool repeats = are_whole(weights) && sum_of(weights) <= static_cast<double>(most);
    return repeats ? repeated(weights)
                   : drawn(weights, std::min(most, effective_size(weights)), seed);
  }
  if (n > most) return subsample_indices(n, most, seed);
  std::vector<Index> all(to_size(n));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

}  // namespace

Representatives representatives_of(const Group& group, Index most, std::uint64_t seed) {
  const std::vector<Index> rows = representative_rows(group, most, seed);
  Representatives result{rows_at(group.samples, rows), {}};
  if (!group.keys.empty()) {
    result.keys = values_at(std::span<const std::uint64_t>(group.keys), rows);
  }
  return result;
}

Index n_representatives(const Group& group) {
  const std::span<const double> weights = group.sample_weights;
  if (weights.empty()) return group.samples.n_samples();
  const double sum = sum_of(weights);
  const bool repeats = are_whole(weights) && sum <= 1e15;
  return repeats ? std::max(static_cast<Index>(sum), effective_size(weights))
                 : effective_size(weights);
}

}  // namespace lbw
