// SPDX-License-Identifier: MIT
#include "quantile/monotone_knots.hpp"

#include <algorithm>

namespace lbw {

MonotoneKnots::MonotoneKnots(const QuantileMap& map)
    : amount_(map.amount), rest_(1.0 - map.amount) {
  const Vector& source = map.source.values;
  for (Index first = 0; first < source.size();) {
    Index last = first;
    while (last + 1 < source.size() && source[last + 1] == source[first]) ++last;
    values_.push_back(source[first]);
    targets_.push_back(target_of(map.target.values, first, last));
    first = last + 1;
  }
}

// The quantile function is linear between levels, so its mean is that of the trapezoids.
MonotoneKnots::Target MonotoneKnots::target_of(const Vector& quantiles, Index first, Index last) {
  const double before = quantiles[first];
  const double after = quantiles[last];
  if (first == last) return {before, before, before};
  const double inner = quantiles.segment(first + 1, last - first - 1).sum();
  const double mean = (0.5 * before + inner + 0.5 * after) / static_cast<double>(last - first);
  return {before, std::clamp(mean, before, after), after};
}

// What is looked for is as good as random: half of the branches would be mispredicted. The mask
// keeps compilers from making one of the comparison.
std::size_t MonotoneKnots::count_up_to(double value) const {
  const double* const values = values_.data();
  std::size_t first = 0;
  std::size_t length = values_.size();
  while (length > 1) {
    const std::size_t half = length / 2;
    const auto is_before = static_cast<std::size_t>(values[first + half - 1] <= value);
    first += half & (0 - is_before);
    length -= half;
  }
  return first + static_cast<std::size_t>(values[first] <= value);
}

double MonotoneKnots::whole_way(double value) const {
  const std::size_t count = count_up_to(value);
  if (count == 0) {
    const double end = targets_.front().before;
    return std::min(end, value + (end - values_.front()));
  }
  const double low = values_[count - 1];
  const Target& start = targets_[count - 1];
  if (value == low) return start.at;
  if (count == values_.size()) return std::max(start.after, value + (start.after - low));
  const double end = targets_[count].before;
  const double share = (value - low) / (values_[count] - low);
  return std::min(end, start.after + share * (end - start.after));
}

}  // namespace lbw
