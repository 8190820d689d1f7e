// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <lbw/dither.hpp>
#include <limits>
#include <numeric>

#include "core/copy_samples.hpp"
#include "core/indexing.hpp"
#include "core/parallel.hpp"
#include "core/sample_count.hpp"
#include "mixture/subsample.hpp"
#include "mixture/weighing.hpp"
#include "quantile/sort_ascending.hpp"
#include "transport/dither.hpp"

namespace lbw {

namespace {

constexpr Index most_samples = Index{1} << 16;  // per view
constexpr std::size_t most_values = 1024;
constexpr double samples_per_value = 4.0;
constexpr double least_count = 10.0;
constexpr double least_fraction = 0.005;
constexpr double of_spread = 1e-9;  // rounding, together with the next two
constexpr double of_value = 1e-13;  // 450 units in the last place
constexpr double of_largest = 4.0 * std::numeric_limits<double>::epsilon();
constexpr double farthest = 3.0;  // maximum cell extent, in median gaps

/// A value, or values that differ only by rounding, and its number of samples.
struct Atom {
  double first = 0.0;
  double last = 0.0;
  double count = 0.0;
};

/// Samples of one view and the number of samples that each of them represents.
struct SeenSamples {
  RowMatrix samples;
  std::vector<double> counts;  ///< empty if every sample counts 1
};

/// The values of a feature in ascending order.
struct SortedValues {
  std::vector<double> values;
  std::vector<double> counts;  ///< empty if every value counts 1
  double n = 0.0;              ///< the sum of the counts

  [[nodiscard]] double count(std::size_t i) const { return counts.empty() ? 1.0 : counts[i]; }

  /// The value at a position among n values, if each was repeated by its count.
  [[nodiscard]] double at_position(double position) const {
    if (counts.empty()) return values[static_cast<std::size_t>(position)];
    double passed = 0.0;
    std::size_t i = 0;
    for (; i + 1 < values.size(); ++i) {
      passed += counts[i];
      if (passed > position) break;
    }
    return values[i];
  }
};

SortedValues sorted_without_counts(std::span<const SeenSamples> views, Index feature) {
  SortedValues sorted;
  for (const SeenSamples& view : views) {
    for (Index i = 0; i < view.samples.rows(); ++i) {
      sorted.values.push_back(view.samples(i, feature));
    }
  }
  sort_ascending(sorted.values);
  sorted.n = static_cast<double>(sorted.values.size());
  return sorted;
}

SortedValues sorted_values(std::span<const SeenSamples> views, Index feature) {
  const auto has_no_counts = [](const SeenSamples& view) { return view.counts.empty(); };
  if (std::ranges::all_of(views, has_no_counts)) return sorted_without_counts(views, feature);
  std::vector<std::pair<double, double>> pairs;
  for (const SeenSamples& view : views) {
    for (Index i = 0; i < view.samples.rows(); ++i) {
      pairs.emplace_back(view.samples(i, feature), view.counts.empty() ? 1.0 : at(view.counts, i));
    }
  }
  std::sort(pairs.begin(), pairs.end());
  SortedValues sorted;
  for (const auto& [value, count] : pairs) {
    sorted.values.push_back(value);
    sorted.counts.push_back(count);
    sorted.n += count;
  }
  return sorted;
}

/// The range of the central 90 %, which is robust to outliers; the full range if that is 0.
double spread_of(const SortedValues& sorted) {
  const double end = std::floor(sorted.n / 20.0);
  const double middle = sorted.at_position(sorted.n - 1.0 - end) - sorted.at_position(end);
  return middle > 0.0 ? middle : sorted.values.back() - sorted.values.front();
}

/// Values that differ only by rounding are one atom. If many are a code that is far from the
/// others, the spread alone says nothing about their rounding.
std::vector<Atom> atoms_of(const SortedValues& sorted) {
  const double of_all = of_spread * spread_of(sorted);
  const double of_sums =
      of_largest * std::max(std::abs(sorted.values.front()), std::abs(sorted.values.back()));
  std::vector<Atom> atoms;
  for (std::size_t i = 0; i < sorted.values.size(); ++i) {
    const double value = sorted.values[i];
    const double same = std::min(of_all, std::max(of_sums, of_value * std::abs(value)));
    if (atoms.empty() || value - atoms.back().first > same) atoms.push_back({value, value, 0.0});
    atoms.back().last = value;
    atoms.back().count += sorted.count(i);
  }
  return atoms;
}

/// The standard deviation, scaled by the largest value so that squares do not overflow.
double standard_deviation(const SortedValues& sorted) {
  const std::vector<double>& values = sorted.values;
  const double scale = std::max(std::abs(values.front()), std::abs(values.back()));
  if (scale == 0.0) return 0.0;
  double mean = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    mean += sorted.count(i) * (values[i] / scale / sorted.n);
  }
  double variance = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double offset = values[i] / scale - mean;
    variance += sorted.count(i) * (offset * offset / sorted.n);
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
DitherCells cells_of(const SortedValues& sorted) {
  DitherCells cells;
  const std::vector<Atom> atoms = atoms_of(sorted);
  if (atoms.size() < 2) return cells;
  const bool few = atoms.size() <= most_values &&
                   static_cast<double>(atoms.size()) * samples_per_value <= sorted.n;
  const double deviation = standard_deviation(sorted);
  const double reach = few ? std::min(deviation, farthest * usual_gap(atoms)) : deviation;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const auto& [first, last, count] = atoms[i];
    const double fraction = count / sorted.n;
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

SeenSamples some_of(const WeightedSamples& view, std::uint64_t seed) {
  const std::vector<Index> positive = positive_positions(view.weights);
  if (positive.size() < view.weights.size()) {
    const RowMatrix rows = rows_at(view.samples, positive);
    const std::vector<double> weights = values_at(view.weights, positive);
    return some_of({rows, weights}, seed);
  }
  if (view.samples.n_samples() <= most_samples) {
    return {copy_of(view.samples),
            view.weights.empty() ? std::vector<double>() : copies_of(view.weights)};
  }
  const Subsample some(view, most_samples, seed);
  return some_of(some.view(), seed);
}

}  // namespace

std::vector<DitherCells> dither_cells(std::span<const SampleView> samples, std::uint64_t seed,
                                      const Execution& execution,
                                      std::span<const std::span<const double>> sample_weights) {
  std::vector<SeenSamples> seen;
  for (const WeightedSamples& view :
       checked_views(samples, sample_weights, execution, "dither_cells")) {
    seen.push_back(some_of(view, seed));
  }
  std::vector<DitherCells> cells(to_size(samples.front().n_features()));
  for_each_chunk(std::ssize(cells), execution,
                 [&](Index f) { at(cells, f) = cells_of(sorted_values(seen, f)); });
  return cells;
}

}  // namespace lbw
