// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <lbw/dither.hpp>
#include <limits>
#include <numeric>

#include "core/copy_samples.hpp"
#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "mixture/subsample.hpp"

namespace lbw {

namespace {

constexpr Index most_samples = Index{1} << 16;  // per view
constexpr std::size_t most_values = 1024;
constexpr std::size_t samples_per_value = 4;
constexpr std::size_t least_count = 10;
constexpr double least_fraction = 0.005;
constexpr double relative_rounding = 1e-9;  // relative to the spread
constexpr double farthest = 3.0;            // maximum cell extent, in median gaps

/// A value, or values that differ only by rounding, and its number of samples.
struct Atom {
  double first = 0.0;
  double last = 0.0;
  std::size_t count = 0;
};

std::vector<double> sorted_values(std::span<const RowMatrix> samples, Index feature) {
  std::vector<double> values;
  for (const RowMatrix& view : samples) {
    for (Index i = 0; i < view.rows(); ++i) values.push_back(view(i, feature));
  }
  std::sort(values.begin(), values.end());
  return values;
}

/// The range of the central 90 %, which is robust to outliers; the full range if that is 0.
double spread_of(const std::vector<double>& sorted) {
  const std::size_t end = sorted.size() / 20;
  const double middle = sorted[sorted.size() - 1 - end] - sorted[end];
  return middle > 0.0 ? middle : sorted.back() - sorted.front();
}

std::vector<Atom> atoms_of(const std::vector<double>& sorted) {
  const double same = relative_rounding * spread_of(sorted);
  std::vector<Atom> atoms;
  for (const double value : sorted) {
    if (atoms.empty() || value - atoms.back().first > same) atoms.push_back({value, value, 0});
    atoms.back().last = value;
    ++atoms.back().count;
  }
  return atoms;
}

/// The standard deviation, scaled by the largest value so that squares do not overflow.
double standard_deviation(const std::vector<double>& values) {
  const double scale = std::max(std::abs(values.front()), std::abs(values.back()));
  if (scale == 0.0) return 0.0;
  const auto n = static_cast<double>(values.size());
  double mean = 0.0;
  for (const double value : values) mean += value / scale / n;
  double variance = 0.0;
  for (const double value : values) {
    variance += (value / scale - mean) * (value / scale - mean) / n;
  }
  return scale * std::sqrt(variance);
}

/// The median gap between neighbouring values.
double usual_gap(const std::vector<Atom>& atoms) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < atoms.size(); ++i) gaps.push_back(atoms[i].first - atoms[i - 1].last);
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>((gaps.size() - 1) / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

/// The cells around shared values of a feature with at least two values. A cell ends halfway to the
/// neighbour, or one standard deviation of the feature from the value if that is nearer; otherwise
/// the noise of a rare code would hide the other features. In a feature of few values, it ends at
/// most three median gaps from the value, because the neighbour may be a code such as 999.
DitherCells cells_of(const std::vector<double>& sorted) {
  DitherCells cells;
  const std::vector<Atom> atoms = atoms_of(sorted);
  if (atoms.size() < 2) return cells;
  const bool few = atoms.size() <= most_values && atoms.size() * samples_per_value <= sorted.size();
  const auto n = static_cast<double>(sorted.size());
  const double deviation = standard_deviation(sorted);
  const double reach = few ? std::min(deviation, farthest * usual_gap(atoms)) : deviation;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const auto& [first, last, count] = atoms[i];
    const double fraction = static_cast<double>(count) / n;
    if (!few && (count < least_count || fraction < least_fraction)) continue;
    const bool lowest = i == 0;
    const bool highest = i + 1 == atoms.size();
    const double outwards = fraction * deviation;
    double lower = lowest ? 0.0 : std::max(std::midpoint(atoms[i - 1].last, first), first - reach);
    double upper = highest ? 0.0 : std::min(std::midpoint(last, atoms[i + 1].first), last + reach);
    if (lowest) lower = first - std::max(upper - last, outwards);
    if (highest) upper = last + std::max(first - lower, outwards);
    if (!(lower < upper) || !std::isfinite(lower) || !std::isfinite(upper)) continue;
    cells.lower.push_back(lower);
    cells.upper.push_back(upper);
  }
  return cells;
}

RowMatrix some_of(SampleView samples, std::uint64_t seed) {
  if (samples.n_samples() <= most_samples) return copy_of(samples);
  const Subsample some({samples, {}}, most_samples, seed);
  return copy_of(some.view().samples);
}

}  // namespace

std::vector<DitherCells> dither_cells(std::span<const SampleView> samples, std::uint64_t seed,
                                      const Execution& execution) {
  constexpr const char* function = "dither_cells";
  require(!samples.empty(), function, ": samples is empty, expected one or more views");
  check_execution(execution, function);
  const Index n_features = samples.front().n_features();
  std::vector<RowMatrix> seen;
  for (const SampleView& view : samples) {
    check_samples(view, function, "samples", execution);
    require(view.n_features() == n_features, function, ": samples have ", n_features, " and ",
            counted(view.n_features(), "feature"), ", expected the same number in all");
    seen.push_back(some_of(view, seed));
  }
  std::vector<DitherCells> cells(to_size(n_features));
  for_each_chunk(n_features, execution,
                 [&](Index f) { at(cells, f) = cells_of(sorted_values(seen, f)); });
  return cells;
}

}  // namespace lbw
