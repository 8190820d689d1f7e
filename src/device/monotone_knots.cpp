// SPDX-License-Identifier: MIT
#include "device/monotone_knots.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/indexing.hpp"

namespace lbw {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Most cells then contain at most one knot: near the center, there are more cells than knots.
constexpr std::size_t cells_per_knot = 1;

// Twice as many do not fit two bytes.
constexpr std::size_t most_knots_of_grid = 0x7fff;

// Values that are mapped together.
constexpr Index block_size = 256;

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
  pieces_.reserve(most_knots + 1);
  pieces_.push_back({source[0], target[0], 1.0, target[0]});  // shifted like the end
  for (Index first = 0; first < source.size();) {
    Index last = first;
    while (last + 1 < source.size() && source[last + 1] == source[first]) ++last;
    add_piece(source[first], target, first, last);
    first = last + 1;
  }
  std::vector<double> knots;
  knots.reserve(pieces_.size());
  for (std::size_t i = 1; i < pieces_.size(); ++i) knots.push_back(pieces_[i].knot);
  find_grid(knots);
  pieces_.push_back({infinity, 0.0, 0.0, 0.0});
}

void MonotoneKnots::add_piece(double knot, const Vector& quantiles, Index first, Index last) {
  KnotPiece& before = pieces_.back();
  bool is_steep = false;
  if (pieces_.size() > 1) {
    before.limit = quantiles[first];
    before.slope = (before.limit - before.base) / (knot - before.knot);
    is_steep = !std::isfinite(before.slope);  // infinity times 0 is not the base
  }
  const bool is_atom = first < last;
  if ((is_atom || is_steep) && at_knots_.empty()) {
    for (const KnotPiece& piece : pieces_) at_knots_.push_back(piece.base);
  }
  pieces_.push_back({knot, quantiles[last], 1.0, infinity});
  if (!at_knots_.empty()) at_knots_.push_back(mean_over_levels(quantiles, first, last));
}

void MonotoneKnots::find_grid(std::span<const double> knots) {
  const std::size_t n_knots = knots.size();
  if (n_knots > most_knots_of_grid) return;
  grid_ = grid_around(knots, cells_per_knot * n_knots);
  std::vector<std::uint32_t> cells(n_knots);
  find_cells(grid_, knots, cells);
  counts_.resize(to_size(grid_.n_cells()) + 1);
  std::size_t next = 0;
  for (std::size_t i = 0; i < n_knots; ++i) {
    if (cells[i] < next) {
      counts_[cells[i]] = static_cast<std::uint16_t>(counts_[cells[i]] | 1U);
      continue;
    }
    const auto begin = counts_.begin();
    std::fill(begin + static_cast<Index>(next), begin + static_cast<Index>(cells[i]) + 1,
              static_cast<std::uint16_t>(2 * i));
    next = cells[i] + 1;
  }
  std::fill(counts_.begin() + static_cast<Index>(next), counts_.end(),
            static_cast<std::uint16_t>(2 * n_knots));
}

// Knots in lower cells than that of a value lie before it, knots in higher ones after it. The cell
// itself usually has at most one knot.
inline void MonotoneKnots::count_knots(const double* values, Index count,
                                       std::uint32_t* cells) const {
  const KnotPiece* const pieces = pieces_.data() + 1;  // those that begin at a knot
  const auto count_between = [&](std::size_t first, std::size_t last, double value) {
    const auto is_before = [](double number, const KnotPiece& piece) {
      return number < piece.knot;
    };
    return static_cast<std::uint32_t>(
        std::upper_bound(pieces + first, pieces + last, value, is_before) - pieces);
  };
  if (counts_.empty()) {
    for (Index i = 0; i < count; ++i) cells[i] = count_between(0, pieces_.size() - 2, values[i]);
    return;
  }
  const std::uint16_t* const counts = counts_.data();
#pragma GCC unroll 4
  for (Index i = 0; i < count; ++i) {
    const std::uint32_t twice = counts[cells[i]];
    const std::uint32_t first = twice / 2;
    if (twice % 2 == 1) [[unlikely]] {
      cells[i] = count_between(first, counts[cells[i] + 1] / 2U, values[i]);
    } else {
      cells[i] = first + static_cast<std::uint32_t>(pieces[first].knot <= values[i]);
    }
  }
}

void MonotoneKnots::apply_at_knots(const std::uint32_t* numbers, double* values,
                                   Index count) const {
  for (Index i = 0; i < count; ++i) {
    const KnotPiece& piece = pieces_[numbers[i]];
    const double value = values[i];
    const double along = std::min(piece.limit, piece.base + (value - piece.knot) * piece.slope);
    const double image = value == piece.knot ? at_knots_[numbers[i]] : along;
    values[i] = rest_ * value + amount_ * image;
  }
}

void MonotoneKnots::apply(std::span<double> values) const {
  std::array<std::uint32_t, block_size> cells;  // NOLINT: written before it is read
  const auto apply_to = [&](double* block, Index count) {
    find_cells(grid_, {block, to_size(count)}, cells);
    count_knots(block, count, cells.data());
    if (at_knots_.empty()) {
      apply_pieces(pieces_.data(), cells.data(), amount_, rest_, block, count);
    } else {
      apply_at_knots(cells.data(), block, count);
    }
  };
  const Index size = std::ssize(values);
  const Index whole = size - size % knot_values_step;
  for (Index first = 0; first < whole; first += block_size) {
    apply_to(values.data() + first, std::min(block_size, whole - first));
  }
  if (whole == size) return;
  std::array<double, knot_values_step> rest{};
  rest.fill(grid_.center);
  std::copy(values.begin() + whole, values.end(), rest.begin());
  apply_to(rest.data(), knot_values_step);
  std::copy_n(rest.begin(), size - whole, values.begin() + whole);
}

}  // namespace lbw
