// SPDX-License-Identifier: MIT
#include "quantile/table_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace lbw {

namespace {

/// The integral over [0, 1] of the square of the linear function from `first` to `last`.
double mean_square(double first, double last) {
  return (first * first + first * last + last * last) / 3.0;
}

/// The moments of a function that is linear between equally spaced levels.
template <typename Segment>
TableMoments moments_of(Index n_segments, const Segment& segment) {
  const auto count = static_cast<double>(n_segments);
  TableMoments moments;
  for (Index j = 0; j < n_segments; ++j) {
    const auto [first, last] = segment(j);
    moments.mean += 0.5 * (first + last) / count;
  }
  double variance = 0.0;
  for (Index j = 0; j < n_segments; ++j) {
    const auto [first, last] = segment(j);
    variance += mean_square(first - moments.mean, last - moments.mean) / count;
  }
  moments.deviation = std::sqrt(variance);
  return moments;
}

/// The distribution function of a table at ascending values.
class DistributionWalk {
 public:
  explicit DistributionWalk(const QuantileTable& table)
      : values_(table.values), step_(1.0 / static_cast<double>(table.n_levels() - 1)) {}

  /// The mass below `value`.
  double before(double value) {
    while (next_ < values_.size() && values_[next_] < value) ++next_;
    return level_at(value);
  }
  /// The mass up to and including `value`.
  double up_to(double value) {
    while (next_ < values_.size() && values_[next_] <= value) ++next_;
    return level_at(value);
  }

 private:
  /// All values before next_ are <= `value`, all others >= `value`.
  [[nodiscard]] double level_at(double value) const {
    if (next_ == 0) return 0.0;
    if (next_ == values_.size()) return 1.0;
    const double low = values_[next_ - 1];
    const double share = (value - low) / (values_[next_] - low);
    return (static_cast<double>(next_ - 1) + share) * step_;
  }

  const Vector& values_;
  double step_;
  Index next_ = 0;
};

std::vector<double> distinct_values(std::span<const QuantileTable* const> tables) {
  std::vector<double> values;
  for (const QuantileTable* table : tables) {
    const auto middle = std::ssize(values);
    values.insert(values.end(), table->values.begin(), table->values.end());
    std::inplace_merge(values.begin(), values.begin() + middle, values.end());
  }
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

double mean_of(std::span<const double> numbers, std::span<const double> shares) {
  double mean = 0.0;
  for (std::size_t g = 0; g < numbers.size(); ++g) mean += shares[g] * numbers[g];
  return mean;
}

}  // namespace

TableMoments table_moments(const QuantileTable& table) {
  return moments_of(table.n_levels() - 1, [&](Index j) {
    return std::pair{table.values[j], table.values[j + 1]};
  });
}

TableMoments image_moments(const QuantileTable& source, const QuantileTable& target) {
  const Index n_segments = source.n_levels() - 1;
  Vector first = target.values.head(n_segments);
  Vector last = target.values.tail(n_segments);
  for (Index begin = 0; begin < n_segments;) {
    Index end = begin;
    while (end < n_segments && source.values[end + 1] == source.values[begin]) ++end;
    const Index count = end - begin;
    if (count > 0) {
      const double mean = 0.5 * (first.segment(begin, count) + last.segment(begin, count)).mean();
      first.segment(begin, count).setConstant(mean);
      last.segment(begin, count).setConstant(mean);
    }
    begin = end + 1;
  }
  return moments_of(n_segments, [&](Index j) { return std::pair{first[j], last[j]}; });
}

double atom_mass(const QuantileTable& table, double n_samples) {
  const Vector& values = table.values;
  const Index n_segments = table.n_levels() - 1;
  const auto flat = [&](Index j) { return values[j] == values[j + 1]; };
  Index begin = 0;
  Index end = n_segments;
  while (begin < n_segments && flat(begin)) ++begin;
  if (begin == n_segments) return 1.0;
  while (flat(end - 1)) --end;
  Index inside = 0;
  for (Index j = begin; j < end; ++j) inside += flat(j) ? 1 : 0;
  const auto count = static_cast<double>(n_segments);
  const double half_a_sample = 0.5 / n_samples;
  const double left = std::max(0.0, static_cast<double>(begin) / count - half_a_sample);
  const double right = std::max(0.0, static_cast<double>(n_segments - end) / count - half_a_sample);
  return left + static_cast<double>(inside) / count + right;
}

PoolDistances pool_distances(std::span<const QuantileTable* const> tables,
                             std::span<const double> shares, const ValueRange& within) {
  PoolDistances result;
  result.distances.assign(tables.size(), 0.0);
  std::vector<DistributionWalk> walks;
  for (const QuantileTable* table : tables) walks.emplace_back(*table);
  const std::vector<double> values = distinct_values(tables);
  std::vector<double> first(tables.size());
  std::vector<double> last(tables.size());
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    if (values[i] < within.lowest || values[i + 1] > within.highest) continue;
    for (std::size_t g = 0; g < walks.size(); ++g) {
      first[g] = walks[g].up_to(values[i]);
      last[g] = walks[g].before(values[i + 1]);
    }
    const double width = values[i + 1] - values[i];
    const double pool_first = mean_of(first, shares);
    const double pool_last = mean_of(last, shares);
    for (std::size_t g = 0; g < walks.size(); ++g) {
      result.distances[g] += width * mean_square(first[g] - pool_first, last[g] - pool_last);
    }
    result.noise += width * (0.5 * (pool_first + pool_last) - mean_square(pool_first, pool_last));
  }
  return result;
}

}  // namespace lbw
