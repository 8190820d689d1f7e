// SPDX-License-Identifier: MIT
#include "quantile/sort_ranks.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/indexing.hpp"
#include "device/knot_kernels.hpp"
#include "quantile/sort_ascending.hpp"

namespace lbw {

namespace {

// Fewer numbers are sorted.
constexpr std::size_t least_for_cells = 2048;
constexpr std::size_t values_per_cell = 8;
constexpr std::size_t n_looks = 256;  // numbers that the cells are chosen by

// Shorter pieces are sorted faster without vectors, and the shortest ones without branches.
constexpr std::size_t long_piece = 64;
constexpr std::size_t short_piece = 16;

KnotGrid grid_for(std::span<const double> values) {
  std::array<double, n_looks> looks{};
  for (std::size_t i = 0; i < n_looks; ++i) looks[i] = values[i * values.size() / n_looks];
  sort_ascending(looks);
  return grid_around(looks, values.size() / values_per_cell);
}

/// The number of values before every cell.
std::vector<std::uint32_t> starts_of(std::span<const std::uint32_t> cells, Index n_cells) {
  std::vector<std::uint32_t> starts(to_size(n_cells) + 1, 0);
  for (const std::uint32_t cell : cells) ++starts[cell];
  std::uint32_t sum = 0;
  for (std::uint32_t& start : starts) sum += std::exchange(start, sum);
  return starts;
}

/// Puts each value after all smaller ones and the equal ones before it.
void sort_by_counting(std::span<double> piece) {
  std::array<double, short_piece> values;  // NOLINT: written before it is read
  std::copy(piece.begin(), piece.end(), values.begin());
  for (std::size_t i = 0; i < piece.size(); ++i) {
    std::size_t place = 0;
    for (std::size_t j = 0; j < i; ++j) place += values[j] <= values[i] ? 1 : 0;
    for (std::size_t j = i + 1; j < piece.size(); ++j) place += values[j] < values[i] ? 1 : 0;
    piece[place] = values[i];
  }
}

void sort_piece(std::span<double> piece) {
  if (piece.size() <= short_piece) {
    sort_by_counting(piece);
  } else if (piece.size() < long_piece) {
    std::sort(piece.begin(), piece.end());
  } else {
    sort_ascending(piece);
  }
}

}  // namespace

std::vector<double> sorted_at_ranks(std::span<const double> values, std::span<const Index> ranks) {
  std::vector<double> sorted(values.size());
  if (values.size() < least_for_cells) {
    for (std::size_t i = 0; i < values.size(); ++i) sorted[i] = values[i] + 0.0;  // -0 is 0
    sort_ascending(sorted);
    return sorted;
  }
  const KnotGrid grid = grid_for(values);
  std::vector<std::uint32_t> cells(values.size());
  find_cells(grid, values, cells);
  std::vector<std::uint32_t> ends = starts_of(cells, grid.n_cells());
  for (std::size_t i = 0; i < values.size(); ++i) sorted[ends[cells[i]]++] = values[i] + 0.0;
  std::size_t cell = 0;
  std::uint32_t sorted_up_to = 0;
  for (const Index rank : ranks) {
    if (rank < static_cast<Index>(sorted_up_to)) continue;
    while (static_cast<Index>(ends[cell]) <= rank) ++cell;
    const std::uint32_t begin = cell == 0 ? 0 : ends[cell - 1];
    sort_piece({sorted.data() + begin, sorted.data() + ends[cell]});
    sorted_up_to = ends[cell];
  }
  return sorted;
}

}  // namespace lbw
