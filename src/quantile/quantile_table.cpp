// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <lbw/quantile.hpp>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/sample_count.hpp"
#include "core/weights.hpp"
#include "quantile/check_tables.hpp"
#include "quantile/sort_ranks.hpp"

namespace lbw {

namespace {

constexpr const char* function = "quantile_table";

void check_weights(std::span<const double> weights, std::size_t n_values) {
  require(weights.size() == n_values, function, ": sample_weights has ",
          counted(weights.size(), "entry"), " for ", counted(n_values, "value"),
          ", expected one per value");
  bool any = false;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    require(weights[i] >= 0.0 && std::isfinite(weights[i]), function, ": sample_weights[", i,
            "] is ", weights[i], ", expected a finite number >= 0");
    any = any || weights[i] > 0.0;
  }
  require(any, function, ": sample_weights are all 0, expected at least one above 0");
}

struct WeightedValue {
  double value = 0.0;
  double weight = 1.0;
};

/// The values of positive weight, in an order that does not depend on that of the samples. Weights
/// are multiplied by `scale`.
std::vector<WeightedValue> sorted_values(std::span<const double> values,
                                         std::span<const double> weights, double scale) {
  std::vector<WeightedValue> sorted;
  sorted.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (weights[i] > 0.0) sorted.push_back({values[i] + 0.0, weights[i] * scale});  // -0 is 0
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const WeightedValue& left, const WeightedValue& right) {
              return left.value < right.value ||
                     (left.value == right.value && left.weight < right.weight);
            });
  return sorted;
}

/// An interval of cumulative weight on which the quantile function is constant. It is a single
/// point unless the value is an atom.
struct FlatStretch {
  double begin = 0.0;
  double end = 0.0;
  double value = 0.0;
};

/// @param unit  the weight of one copy of a value
std::vector<FlatStretch> flat_stretches(const std::vector<WeightedValue>& sorted, double unit) {
  std::vector<FlatStretch> stretches;
  stretches.reserve(sorted.size());
  double cumulated = 0.0;
  for (std::size_t i = 0; i < sorted.size();) {
    const double value = sorted[i].value;
    const double begin = cumulated;
    for (; i < sorted.size() && sorted[i].value == value; ++i) cumulated += sorted[i].weight;
    const double margin = 0.5 * std::min(unit, cumulated - begin);
    stretches.push_back({begin + margin, std::max(begin + margin, cumulated - margin), value});
  }
  return stretches;
}

/// The quantile function at ascending positions of cumulative weight.
class QuantileWalk {
 public:
  explicit QuantileWalk(const std::vector<FlatStretch>& stretches) : stretches_(stretches) {}

  double at(double place) {
    while (next_ < stretches_.size() && stretches_[next_].begin <= place) ++next_;
    if (next_ == 0) return stretches_.front().value;
    const FlatStretch& low = stretches_[next_ - 1];
    if (next_ == stretches_.size() || place <= low.end) return low.value;
    const FlatStretch& high = stretches_[next_];
    const double share = (place - low.end) / (high.begin - low.end);
    return std::min(high.value, low.value + share * (high.value - low.value));
  }

 private:
  const std::vector<FlatStretch>& stretches_;
  std::size_t next_ = 0;  // the first that begins after the last position
};

double sum_of_weights(const std::vector<WeightedValue>& sorted) {
  double sum = 0.0;
  for (const WeightedValue& sample : sorted) sum += sample.weight;
  return sum;
}

/// A table whose ends are exact and which does not decrease, despite rounding.
QuantileTable table_of(Vector values, double last) {
  const Index n_levels = values.size();
  values[n_levels - 1] = last;
  for (Index j = 1; j < n_levels; ++j) values[j] = std::max(values[j - 1], values[j]);
  return {std::move(values)};
}

/// @param unit  the weight of one copy of a value
QuantileTable table_of_sorted(const std::vector<WeightedValue>& sorted, double unit, int n_levels) {
  const std::vector<FlatStretch> stretches = flat_stretches(sorted, unit);
  const double step = sum_of_weights(sorted) / static_cast<double>(n_levels - 1);
  QuantileWalk walk(stretches);
  Vector quantiles(n_levels);
  for (Index j = 0; j < n_levels; ++j) quantiles[j] = walk.at(static_cast<double>(j) * step);
  return table_of(std::move(quantiles), stretches.back().value);
}

/// The same for values of equal weight: the value of rank i is the quantile at the place i + 1/2,
/// so that only the values next to the levels are read. The results are the same to the last bit.
QuantileTable table_of_numbers(std::span<const double> values, int n_levels) {
  const auto n = static_cast<double>(values.size());
  const double step = n / static_cast<double>(n_levels - 1);
  const auto place_of = [&](Index j) { return static_cast<double>(j) * step; };
  const auto next_rank = [&](double place) {  // the number of values up to the place
    return static_cast<Index>(std::clamp(std::floor(place + 0.5), 0.0, n));
  };
  std::vector<Index> ranks = {0};
  for (Index j = 0; j < n_levels; ++j) {
    const Index next = next_rank(place_of(j));
    if (next > 0 && next < std::ssize(values)) ranks.insert(ranks.end(), {next - 1, next});
  }
  ranks.push_back(std::ssize(values) - 1);
  const std::vector<double> sorted = sorted_at_ranks(values, ranks);
  Vector quantiles(n_levels);
  for (Index j = 0; j < n_levels; ++j) {
    const double place = place_of(j);
    const Index next = next_rank(place);
    if (next == 0 || next == std::ssize(values)) {
      quantiles[j] = next == 0 ? sorted.front() : sorted.back();
      continue;
    }
    const double low = at(sorted, next - 1);
    const double high = at(sorted, next);
    const double share = place - (static_cast<double>(next) - 0.5);
    quantiles[j] = std::min(high, low + share * (high - low));
  }
  return table_of(std::move(quantiles), sorted.back());
}

}  // namespace

QuantileTable quantile_table(std::span<const double> values, std::span<const double> sample_weights,
                             int n_levels) {
  require(n_levels >= 2, function, ": n_levels is ", n_levels, ", expected 2 or more");
  check_samples(SampleView(values.data(), std::ssize(values), 1, 1), function, "values",
                Execution{.n_threads = 1});
  if (!sample_weights.empty()) check_weights(sample_weights, values.size());
  if (sample_weights.empty()) return table_of_numbers(values, n_levels);
  const SampleCount counted = sample_count(sample_weights);
  return table_of_sorted(sorted_values(values, sample_weights, counted.scale), counted.unit,
                         n_levels);
}

QuantileTable mid_quantile(std::span<const QuantileTable> tables,
                           std::span<const double> barycentric_weights) {
  require(!tables.empty(), "mid_quantile: tables is empty, expected one or more");
  const std::vector<double> weights = normalized_weights(barycentric_weights, std::ssize(tables),
                                                         "mid_quantile", "barycentric_weights");
  const Index n_levels = tables.front().n_levels();
  QuantileTable middle{Vector::Zero(n_levels)};
  for (std::size_t g = 0; g < tables.size(); ++g) {
    check_table(tables[g], "mid_quantile", message("tables[", g, "]"));
    require(tables[g].n_levels() == n_levels, "mid_quantile: tables[", g, "] has ",
            tables[g].n_levels(), " levels and tables[0] ", n_levels, ", expected equal numbers");
    middle.values += weights[g] * tables[g].values;
  }
  // avoids rounding if all tables are equal
  const bool equal = std::all_of(tables.begin(), tables.end(), [&](const QuantileTable& table) {
    return table.values == tables.front().values;
  });
  return equal ? tables.front() : middle;
}

}  // namespace lbw
