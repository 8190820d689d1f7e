// SPDX-License-Identifier: MIT
#include "transport/fit_noise.hpp"

#include <algorithm>

#include "core/indexing.hpp"
#include "transport/check_fit.hpp"

namespace lbw {

namespace {

/// The samples of a group that weigh something, which the result owns if not all do. Weights are
/// checked where they are fitted.
HeldSamples weighing_samples(const Group& group) {
  const std::span<const double> weights = group.sample_weights;
  const SampleView& samples = group.samples;
  const auto zeros = std::count(weights.begin(), weights.end(), 0.0);
  if (zeros == 0 || zeros == samples.n_samples()) return samples;
  if (std::ssize(weights) != samples.n_samples()) return samples;
  RowMatrix rows(samples.n_samples() - zeros, samples.n_features());
  for (Index i = 0, next = 0; i < samples.n_samples(); ++i) {
    if (at(weights, i) != 0.0) rows.row(next++) = samples.row(i).transpose();
  }
  return HeldSamples(std::move(rows));
}

}  // namespace

Noise find_noise(std::span<const Group> groups, const TransportOptions& options) {
  if (options.dither.is_none()) return {};
  const Execution& execution = options.mixture.execution;
  std::vector<HeldSamples> held;
  for (const Group& group : groups) {
    check_samples_of(group, execution);
    held.push_back(weighing_samples(group));
  }
  const std::vector<SampleView> samples(held.begin(), held.end());
  if (options.dither.automatic) {
    std::vector<DitherCells> cells = dither_cells(samples, options.mixture.seed, execution);
    if (std::ranges::all_of(cells, &DitherCells::empty)) return {};
    return {.cells = std::move(cells)};
  }
  const Vector steps = grid_steps(samples, execution);
  if (steps.isZero(0.0)) return {};
  return {.widths = options.dither.amount * steps};
}

DitheredGroups dithered_groups(std::span<const Group> groups, const Noise& noise,
                               std::uint64_t seed, const Execution& execution) {
  DitheredGroups result{{groups.begin(), groups.end()}, {}};
  if (noise.empty()) return result;
  for (Group& group : result.groups) {
    group.samples = noise.cells.empty()
                        ? dithered(group.samples, noise.widths, seed, execution, group.keys)
                        : dithered(group.samples, noise.cells, seed, execution, group.keys);
    if (group.source == nullptr) continue;
    result.sources.push_back(std::make_unique<NoisySource>(*group.source, noise, seed, execution));
    group.source = result.sources.back().get();
  }
  return result;
}

}  // namespace lbw
