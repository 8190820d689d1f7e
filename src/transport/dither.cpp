// SPDX-License-Identifier: MIT
#include "transport/dither.hpp"

#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/point_draw.hpp"

namespace lbw {

namespace {

constexpr std::uint64_t dither_stream = 0x646974686572;  // away from that of random maps

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

/// Of sorted values; 0 where they lie on no grid.
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

template <typename Input>
void dither_rows(const Input* rows, Index row_stride, const Vector& widths, const PointDraws& draws,
                 Eigen::Ref<RowMatrix> out) {
  for (Index i = 0; i < out.rows(); ++i) {
    const Input* row = rows + i * row_stride;
    const std::uint64_t bits = draws.bits(row);
    for (Index f = 0; f < widths.size(); ++f) {
      const double noise = widths[f] > 0.0 ? widths[f] * (PointDraws::number(bits, f) - 0.5) : 0.0;
      out(i, f) = static_cast<double>(row[f]) + noise;
    }
  }
}

}  // namespace

void check_widths(const Vector& widths, Index n_features, const char* function,
                  const std::string& argument) {
  if (widths.size() == 0) return;
  require(widths.size() == n_features, function, ": ", argument, " has ", widths.size(),
          " entries for ", n_features, " features");
  for (Index f = 0; f < widths.size(); ++f) {
    require(std::isfinite(widths[f]) && widths[f] >= 0.0, function, ": ", argument, "[", f, "] is ",
            widths[f], ", expected a finite number >= 0");
  }
}

Vector grid_steps(std::span<const SampleView> samples, const Execution& execution) {
  constexpr const char* function = "grid_steps";
  require(!samples.empty(), function, ": no samples given");
  check_execution(execution, function);
  const Index n_features = samples.front().n_features();
  for (const SampleView& view : samples) {
    check_samples(view, function, "samples", execution);
    require(view.n_features() == n_features, function, ": samples have ", n_features, " and ",
            view.n_features(), " features, expected as many in all");
  }
  Vector steps(n_features);
  for_each_chunk(n_features, execution,
                 [&](Index f) { steps[f] = grid_step(sorted_values(samples, f)); });
  return steps;
}

void dither_into(SampleView samples, const Vector& widths, std::uint64_t seed,
                 const Execution& execution, RowMatrix& out) {
  const PointDraws draws(seed, samples.n_features(), dither_stream);
  const Chunks chunks = Chunks::of(samples.n_samples());
  for_each_chunk(chunks.count(), execution, [&](Index chunk) {
    const Index first = chunks.begin(chunk);
    auto rows = out.middleRows(first, chunks.size_of(chunk));
    const Index at = first * samples.row_stride();
    if (samples.is_float()) {
      dither_rows(samples.floats() + at, samples.row_stride(), widths, draws, rows);
    } else {
      dither_rows(samples.doubles() + at, samples.row_stride(), widths, draws, rows);
    }
  });
}

RowMatrix dithered(SampleView samples, const Vector& widths, std::uint64_t seed,
                   const Execution& execution) {
  constexpr const char* function = "dithered";
  check_samples(samples, function, "samples", execution);
  check_execution(execution, function);
  require(widths.size() > 0, function, ": widths is empty, expected one per feature");
  check_widths(widths, samples.n_features(), function, "widths");
  RowMatrix out(samples.n_samples(), samples.n_features());
  dither_into(samples, widths, seed, execution, out);
  return out;
}

}  // namespace lbw
