// SPDX-License-Identifier: MIT
#include "transport/dither.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/row_keys.hpp"
#include "core/sample_count.hpp"
#include "device/device.hpp"
#include "mixture/checks.hpp"
#include "quantile/sort_ascending.hpp"

namespace lbw {

namespace {

/// All values of a feature that have a weight above 0, sorted.
std::vector<double> sorted_values(std::span<const WeightedSamples> samples, Index feature) {
  std::vector<double> values;
  for (const WeightedSamples& view : samples) {
    for (Index i = 0; i < view.samples.n_samples(); ++i) {
      if (view.weight(i) > 0.0) values.push_back(view.samples(i, feature));
    }
  }
  sort_ascending(values);
  return values;
}

/// The number of samples of all views; a weight of 2 counts twice.
double n_samples_of(std::span<const WeightedSamples> samples) {
  double n = 0.0;
  for (const WeightedSamples& view : samples) {
    n += view.weights.empty() ? static_cast<double>(view.samples.n_samples())
                              : sample_count(view.weights).count;
  }
  return n;
}

bool is_multiple(double gap, double step) {
  constexpr double tolerance = 1e-6;
  const double ratio = gap / step;
  return std::abs(ratio - std::round(ratio)) <= tolerance;
}

/// The grid step of sorted values, or 0 if they do not lie on a grid.
double grid_step(std::vector<double> values, double n_samples) {
  constexpr double samples_per_value = 4.0;
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const auto n_values = static_cast<double>(values.size());
  if (values.size() < 2 || n_values * samples_per_value > n_samples) return 0.0;
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

std::vector<WeightedSamples> checked_views(std::span<const SampleView> samples,
                                           std::span<const std::span<const double>> sample_weights,
                                           const Execution& execution, const char* function) {
  require(!samples.empty(), function, ": samples is empty, expected one or more views");
  require(sample_weights.empty() || sample_weights.size() == samples.size(), function,
          ": sample_weights has ", counted(sample_weights.size(), "entry"), " for ",
          counted(samples.size(), "view"), ", expected one list of weights per view");
  check_execution(execution, function);
  const Index n_features = samples.front().n_features();
  std::vector<WeightedSamples> views;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    check_samples(samples[i], function, "samples", execution);
    require(samples[i].n_features() == n_features, function, ": samples have ", n_features, " and ",
            counted(samples[i].n_features(), "feature"), ", expected the same number in all");
    views.push_back(
        {samples[i], sample_weights.empty() ? std::span<const double>() : sample_weights[i]});
    check_sample_weights(views.back(), function);
  }
  return views;
}

Vector grid_steps(std::span<const SampleView> samples, const Execution& execution,
                  std::span<const std::span<const double>> sample_weights) {
  const std::vector<WeightedSamples> views =
      checked_views(samples, sample_weights, execution, "grid_steps");
  const double n_samples = n_samples_of(views);
  Vector steps(samples.front().n_features());
  for_each_chunk(steps.size(), execution,
                 [&](Index f) { steps[f] = grid_step(sorted_values(views, f), n_samples); });
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
