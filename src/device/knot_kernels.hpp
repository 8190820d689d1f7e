// SPDX-License-Identifier: MIT
// The vector loops of monotone maps: which cell of a grid contains a value, and the linear pieces.
#pragma once

#include <cstdint>

#include <lbw/matrix.hpp>
#include <span>

namespace lbw {

/// apply_pieces needs multiples of this many values.
inline constexpr Index knot_values_step = 8;

/// Cells of the line that are equally wide near the center and wider in the tails. With
/// t = 1 + scale |value - center|, there are 2^bits cells of equal width on either side for t from
/// 1 to 2, as many from 2 to 4, and so on. The last cells contain all values beyond them.
struct KnotGrid {
  double center = 0.0;
  double scale = 0.0;
  int bits = 0;
  int octaves = 1;

  [[nodiscard]] Index n_cells() const { return Index{2 * octaves} << bits; }
};

/// A piece of a monotone map: value -> base + slope (value - knot), at most the limit.
struct alignas(32) KnotPiece {
  double knot = 0.0;
  double base = 0.0;
  double slope = 1.0;
  double limit = 0.0;
};

/// Cells for values that are distributed like `sorted`, with about as many cells as n_cells over
/// one standard deviation of a normal distribution.
[[nodiscard]] KnotGrid grid_around(std::span<const double> sorted, std::size_t n_cells);

/// The cells of values, which do not decrease with the value.
void find_cells(const KnotGrid& grid, std::span<const double> values,
                std::span<std::uint32_t> cells);

/// values[i] = rest * values[i] + amount * the image of values[i] under pieces[numbers[i]].
/// @param count  a multiple of knot_values_step
void apply_pieces(const KnotPiece* pieces, const std::uint32_t* numbers, double amount, double rest,
                  double* values, Index count);

}  // namespace lbw
