// SPDX-License-Identifier: MIT
#include "transport/dither.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/row_keys.hpp"
#include "device/device.hpp"

namespace lbw {

namespace {

/// All values of a feature, sorted.
std::vector<double> sorted_values(std::span<const SampleView> samples, Index feature) {
  std::vector<double> values;
  for (const SampleView& view : samples) {
    for (Index i = 0; i < view.n_samples(); ++i) values.push_back(view(i, feature));
  }
  std::sort(values.begin(), values.end());
  return values;
}

bool is_multiple(double gap, double step) {
  constexpr double tolerance = 1e-6;
  const double ratio = gap / step;
  return std::abs(ratio - std::round(ratio)) <= tolerance;
}

/// The grid step of sorted values, or 0 if they do not lie on a grid.
double grid_step(std::vector<double> values) {
  constexpr std::size_t samples_per_value = 4;
  const std::size_t n_samples = values.size();
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.size() < 2 || values.size() * samples_per_value > n_samples) return 0.0;
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < values.size(); ++i) step = std::min(step, values[i] - values[i - 1]);
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!is_multiple(values[i] - values[i - 1], step)) return 0.0;
  }
  return std::isfinite(step) ? step : 0.0;
}

void check_widths(const Vector& widths, Index n_features, const char* function,
                  const std::string& argument) {
  require(widths.size() == n_features, function, ": ", argument, " has ",
          counted(widths.size(), "entry"), " for ", counted(n_features, "feature"),
          ", expected one per feature");
  for (Index f = 0; f < widths.size(); ++f) {
    require(std::isfinite(widths[f]) && widths[f] >= 0.0, function, ": ", argument, "[", f, "] is ",
            widths[f], ", expected a finite number >= 0");
  }
}

void check_cells(std::span<const DitherCells> cells, Index n_features, const char* function,
                 const std::string& argument) {
  require(std::ssize(cells) == n_features, function, ": ", argument, " has ",
          counted(cells.size(), "entry"), " for ", counted(n_features, "feature"),
          ", expected one per feature");
  for (std::size_t f = 0; f < cells.size(); ++f) {
    const auto& [lower, upper] = cells[f];
    bool ascending = lower.size() == upper.size();
    for (std::size_t i = 0; ascending && i < lower.size(); ++i) {
      ascending = std::isfinite(lower[i]) && std::isfinite(upper[i]) && lower[i] < upper[i] &&
                  (i == 0 || upper[i - 1] <= lower[i]);
    }
    require(ascending, function, ": ", argument, " of feature ", f,
            " has invalid cells, expected finite, ascending and disjoint intervals");
  }
}

}  // namespace

void check_noise(const Vector& widths, std::span<const DitherCells> cells, Index n_features,
                 const char* function, const std::string& argument) {
  require(widths.size() == 0 || cells.empty(), function, ": ", argument,
          " has widths and cells, expected only one of them");
  if (widths.size() > 0) check_widths(widths, n_features, function, argument);
  if (!cells.empty()) check_cells(cells, n_features, function, argument);
}

Vector grid_steps(std::span<const SampleView> samples, const Execution& execution) {
  constexpr const char* function = "grid_steps";
  require(!samples.empty(), function, ": samples is empty, expected one or more views");
  check_execution(execution, function);
  const Index n_features = samples.front().n_features();
  for (const SampleView& view : samples) {
    check_samples(view, function, "samples", execution);
    require(view.n_features() == n_features, function, ": samples have ", n_features, " and ",
            counted(view.n_features(), "feature"), ", expected the same number in all");
  }
  Vector steps(n_features);
  for_each_chunk(n_features, execution,
                 [&](Index f) { steps[f] = grid_step(sorted_values(samples, f)); });
  return steps;
}

void dither_into(SampleView samples, const Noise& noise, std::uint64_t seed,
                 std::span<const std::uint64_t> keys, const Execution& execution, RowMatrix& out) {
  NoiseTable table{seed, noise.widths, {}};
  for (const auto& [lower, upper] : noise.cells) table.cells.push_back({lower, upper});
  device_of(execution).add_noise(samples, table, keys, execution, out);
}

namespace {

RowMatrix dithered_by(SampleView samples, const Noise& noise, std::uint64_t seed,
                      const Execution& execution, std::span<const std::uint64_t> keys) {
  constexpr const char* function = "dithered";
  check_samples(samples, function, "samples", execution);
  check_execution(execution, function);
  check_keys(keys, samples.n_samples(), function, "keys");
  RowMatrix out(samples.n_samples(), samples.n_features());
  RowKeys all = keys_for_dither(keys, samples, execution);
  dither_into(samples, noise, seed, all.next(samples, execution), execution, out);
  return out;
}

}  // namespace

RowMatrix dithered(SampleView samples, const Vector& widths, std::uint64_t seed,
                   const Execution& execution, std::span<const std::uint64_t> keys) {
  check_widths(widths, samples.n_features(), "dithered", "widths");
  return dithered_by(samples, {widths, {}}, seed, execution, keys);
}

RowMatrix dithered(SampleView samples, std::span<const DitherCells> cells, std::uint64_t seed,
                   const Execution& execution, std::span<const std::uint64_t> keys) {
  check_cells(cells, samples.n_features(), "dithered", "cells");
  return dithered_by(samples, {{}, {cells.begin(), cells.end()}}, seed, execution, keys);
}

}  // namespace lbw
