// SPDX-License-Identifier: MIT
#include "report/feature_bins.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "core/indexing.hpp"
#include "quantile/sort_ascending.hpp"

namespace lbw {

namespace {

/// Distinct values in ascending order, and the weight up to each of them.
struct DistinctValues {
  std::vector<double> values;
  std::vector<double> weight_up_to;
};

DistinctValues distinct_of(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  sort_ascending(sorted);
  DistinctValues distinct;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i + 1 < sorted.size() && sorted[i + 1] == sorted[i]) continue;
    distinct.values.push_back(sorted[i]);
    distinct.weight_up_to.push_back(static_cast<double>(i + 1));
  }
  return distinct;
}

DistinctValues distinct_of(std::span<const double> values, std::span<const double> weights) {
  if (weights.empty()) return distinct_of(values);
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return weights[i] == 0.0; });
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  DistinctValues distinct;
  double sum = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sum += weights[order[i]];
    if (i + 1 < order.size() && values[order[i + 1]] == values[order[i]]) continue;
    distinct.values.push_back(values[order[i]]);
    distinct.weight_up_to.push_back(sum);
  }
  return distinct;
}

std::vector<double> middles_of(const std::vector<double>& values) {
  std::vector<double> middles;
  for (std::size_t i = 1; i < values.size(); ++i) {
    middles.push_back(std::midpoint(values[i - 1], values[i]));
  }
  return middles;
}

/// Quantiles at equally spaced levels, without duplicates. Where the distribution function equals
/// the level, the quantile is the middle between two values.
std::vector<double> quantiles_of(const DistinctValues& distinct) {
  const auto& [values, weight_up_to] = distinct;
  std::vector<double> quantiles;
  for (int level = 1; level < most_bins; ++level) {
    const double percentage = level * (100.0 / most_bins);  // rounded as scikit-learn does
    const double wanted = percentage / 100.0 * weight_up_to.back();
    const auto place = std::ranges::lower_bound(weight_up_to, wanted) - weight_up_to.begin();
    const bool is_between = at(weight_up_to, place) == wanted;
    const double quantile =
        is_between ? std::midpoint(at(values, place), at(values, place + 1)) : at(values, place);
    if (quantiles.empty() || quantiles.back() < quantile) quantiles.push_back(quantile);
  }
  return quantiles;
}

/// The number of limits below a value: a binary search whose steps are the same for every value, so
/// that the processor has no branches to predict.
class BinSearch {
 public:
  explicit BinSearch(const std::vector<double>& limits) {
    padded_.fill(std::numeric_limits<double>::infinity());
    std::ranges::copy(limits, padded_.begin());
  }

  [[nodiscard]] std::uint8_t operator()(double value) const {
    std::size_t below = 0;
    for (std::size_t step = (most_bins + 1) / 2; step > 0; step /= 2) {
      below += step * static_cast<std::size_t>(padded_[below + step - 1] < value);
    }
    return static_cast<std::uint8_t>(below);
  }

 private:
  std::array<double, most_bins> padded_{};
};

}  // namespace

std::vector<double> bin_limits(std::span<const double> values, std::span<const double> weights) {
  const DistinctValues distinct = distinct_of(values, weights);
  return distinct.values.size() <= most_bins ? middles_of(distinct.values) : quantiles_of(distinct);
}

BinnedSamples binned(SampleView samples, std::span<const std::vector<double>> limits) {
  BinnedSamples result{samples.n_samples(), {}};
  result.bins.reserve(to_size(samples.n_samples() * samples.n_features()));
  for (Index f = 0; f < samples.n_features(); ++f) {
    const BinSearch bin_of(at(limits, f));
    for (Index i = 0; i < samples.n_samples(); ++i) result.bins.push_back(bin_of(samples(i, f)));
  }
  return result;
}

}  // namespace lbw
