// SPDX-License-Identifier: MIT
#include "device/noise_pass.hpp"

#include <algorithm>
#include <cmath>

#include "core/point_draw.hpp"

namespace lbw {

namespace {

constexpr std::uint64_t dither_stream = 0x646974686572;  // differs from that of random maps

/// A uniform point of the cell that contains a value; the value itself if no cell does.
double spread_value(double value, const CellTable& cells, double number) {
  const auto after = std::upper_bound(cells.lower.begin(), cells.lower.end(), value);
  if (after == cells.lower.begin()) return value;
  const auto cell = static_cast<std::size_t>(after - cells.lower.begin() - 1);
  const double upper = cells.upper[cell];
  return value < upper ? std::lerp(cells.lower[cell], upper, number) : value;
}

template <typename Input>
void add_to_rows(const Input* rows, Index row_stride, const NoiseTable& noise,
                 const PointDraws& draws, std::span<const std::uint64_t> keys,
                 Eigen::Ref<RowMatrix> out) {
  for (Index i = 0; i < out.rows(); ++i) {
    const Input* row = rows + i * row_stride;
    const std::uint64_t bits = draws.bits(row, keys[static_cast<std::size_t>(i)]);
    for (std::size_t f = 0; f < noise.widths.size(); ++f) {
      const double width = noise.widths[f];
      const double number = PointDraws::number(bits, static_cast<Index>(f));
      const double moved = width > 0.0 ? width * (number - 0.5) : 0.0;
      out(i, static_cast<Index>(f)) = static_cast<double>(row[f]) + moved;
    }
    for (std::size_t f = 0; f < noise.cells.size(); ++f) {
      const double number = PointDraws::number(bits, static_cast<Index>(f));
      const auto value = static_cast<double>(row[f]);
      out(i, static_cast<Index>(f)) = spread_value(value, noise.cells[f], number);
    }
  }
}

}  // namespace

void chunk_add_noise(SampleView samples, const NoiseTable& noise,
                     std::span<const std::uint64_t> keys, Index begin, Index end,
                     Eigen::Ref<RowMatrix> out) {
  const PointDraws draws(noise.seed, samples.n_features(), dither_stream);
  const Index count = end - begin;
  const auto own = keys.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
  const Index at = begin * samples.row_stride();
  if (samples.is_float()) {
    add_to_rows(samples.floats() + at, samples.row_stride(), noise, draws, own,
                out.middleRows(begin, count));
  } else {
    add_to_rows(samples.doubles() + at, samples.row_stride(), noise, draws, own,
                out.middleRows(begin, count));
  }
}

}  // namespace lbw
