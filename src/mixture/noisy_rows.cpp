// SPDX-License-Identifier: MIT
#include "mixture/noisy_rows.hpp"

#include <cmath>

#include "core/message.hpp"
#include "device/device.hpp"

namespace lbw {

namespace {

bool are_widths(const Vector& widths) {
  for (const double width : widths) {
    if (!std::isfinite(width) || width < 0.0) return false;
  }
  return true;
}

bool are_cells(const RowNoise::Cells& cells) {
  if (cells.lower.size() != cells.upper.size()) return false;
  for (std::size_t i = 0; i < cells.lower.size(); ++i) {
    const bool valid = std::isfinite(cells.lower[i]) && std::isfinite(cells.upper[i]) &&
                       cells.lower[i] < cells.upper[i] &&
                       (i == 0 || cells.upper[i - 1] <= cells.lower[i]);
    if (!valid) return false;
  }
  return true;
}

}  // namespace

void check_row_noise(const RowNoise& noise, Index n_features, const char* function) {
  if (noise.empty()) return;
  const bool widths = noise.widths.size() == n_features && noise.cells.empty();
  const bool cells = std::ssize(noise.cells) == n_features && noise.widths.size() == 0;
  require(widths || cells, function, ": noise has ", noise.widths.size(), " widths and cells of ",
          noise.cells.size(), " features, expected one kind for each of ",
          counted(n_features, "feature"));
  require(are_widths(noise.widths), function,
          ": noise has an invalid width, expected finite numbers >= 0");
  for (const RowNoise::Cells& own : noise.cells) {
    require(are_cells(own), function,
            ": noise has invalid cells, expected finite, ascending and disjoint intervals");
  }
}

RowMatrix noisy_rows(SampleView rows, const RowNoise& noise, std::span<const Index> indices,
                     const Execution& execution) {
  NoiseTable table{noise.seed, noise.widths, {}};
  for (const auto& [lower, upper] : noise.cells) table.cells.push_back({lower, upper});
  const std::vector<std::uint64_t> keys(indices.begin(), indices.end());
  RowMatrix noisy(rows.n_samples(), rows.n_features());
  device_of(execution).add_noise(rows, table, keys, execution, noisy);
  return noisy;
}

}  // namespace lbw
