// SPDX-License-Identifier: MIT
#include "device/monotone_knots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/indexing.hpp"

namespace lbw {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Most intervals then contain at most one knot, even if knots are dense.
constexpr std::size_t stretches_per_knot = 8;

// One in so many knots at either end is left out of the intervals of equal width. The tails of a
// distribution would make these so wide that most values share theirs with several knots.
constexpr std::size_t knots_per_tail_knot = 32;

/// The mean of the quantiles over the levels of an atom, by trapezoids because they are linear
/// between levels.
double mean_over_levels(const Vector& quantiles, Index first, Index last) {
  const double before = quantiles[first];
  const double after = quantiles[last];
  if (first == last) return before;
  const double inner = quantiles.segment(first + 1, last - first - 1).sum();
  const double mean = (0.5 * before + inner + 0.5 * after) / static_cast<double>(last - first);
  return std::clamp(mean, before, after);
}

}  // namespace

MonotoneKnots::MonotoneKnots(const Vector& source, const Vector& target, double amount)
    : amount_(amount), rest_(1.0 - amount) {
  const auto most_knots = static_cast<std::size_t>(source.size()) + 1;
  knots_.reserve(most_knots);
  pieces_.reserve(most_knots);
  pieces_.push_back({source[0], target[0], 1.0, target[0], target[0]});  // shifted like the end
  for (Index first = 0; first < source.size();) {
    Index last = first;
    while (last + 1 < source.size() && source[last + 1] == source[first]) ++last;
    add_piece(source[first], target, first, last);
    first = last + 1;
  }
  knots_.push_back(infinity);
  find_stretches();
}

void MonotoneKnots::add_piece(double knot, const Vector& quantiles, Index first, Index last) {
  Piece& before = pieces_.back();
  if (!knots_.empty()) {
    before.limit = quantiles[first];
    before.slope = (before.limit - before.base) / (knot - before.knot);
  }
  knots_.push_back(knot);
  pieces_.push_back(
      {knot, quantiles[last], 1.0, infinity, mean_over_levels(quantiles, first, last)});
}

void MonotoneKnots::find_stretches() {
  const std::span<const double> knots(knots_.data(), knots_.size() - 1);
  const std::size_t n_stretches = stretches_per_knot * knots.size();
  last_stretch_ = static_cast<double>(n_stretches - 1);
  const std::size_t tail = knots.size() / knots_per_tail_knot;
  origin_ = knots[tail];
  stretches_per_unit_ =
      static_cast<double>(n_stretches) / (knots[knots.size() - 1 - tail] - origin_);
  if (!std::isfinite(stretches_per_unit_)) stretches_per_unit_ = 0.0;  // one or nearly one knot
  counts_.assign(n_stretches + 1, 0);
  for (const double knot : knots) ++counts_[stretch_of(knot) + 1];
  std::partial_sum(counts_.begin(), counts_.end(), counts_.begin());
}

inline std::size_t MonotoneKnots::stretch_of(double value) const {
  const double place = (value - origin_) * stretches_per_unit_;
  return static_cast<std::size_t>(std::max(0.0, std::min(last_stretch_, place)));
}

// Knots in lower intervals than that of `value` lie before it, knots in higher ones after it,
// because stretch_of is non-decreasing. The interval itself usually has at most one knot.
inline std::size_t MonotoneKnots::count_up_to(double value) const {
  const std::size_t stretch = stretch_of(value);
  const std::size_t first = counts_[stretch];
  const std::size_t last = counts_[stretch + 1];
  if (last - first > 1) {
    const auto begin = knots_.begin();
    return to_size(std::upper_bound(begin + static_cast<Index>(first),
                                    begin + static_cast<Index>(last), value) -
                   begin);
  }
  return first + static_cast<std::size_t>(knots_[first] <= value);
}

void MonotoneKnots::apply(std::span<double> values) const {
  for (double& value : values) {
    const Piece& piece = pieces_[count_up_to(value)];
    const double along = std::min(piece.limit, piece.base + (value - piece.knot) * piece.slope);
    const bool at_knot = value == piece.knot;  // the slope may be infinite there
    value = rest_ * value + amount_ * (at_knot ? piece.at_knot : along);
  }
}

}  // namespace lbw
