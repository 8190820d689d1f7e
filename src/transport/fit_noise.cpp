// SPDX-License-Identifier: MIT
#include "transport/fit_noise.hpp"

#include <algorithm>

#include "transport/check_fit.hpp"

namespace lbw {

Noise find_noise(std::span<const Group> groups, const TransportOptions& options) {
  if (options.dither.is_none()) return {};
  const Execution& execution = options.mixture.execution;
  std::vector<SampleView> samples;
  std::vector<std::span<const double>> weights;
  for (const Group& group : groups) {
    check_samples_of(group, execution);
    const auto is_zero = [](double weight) { return weight == 0.0; };
    const bool no_weight =
        !group.sample_weights.empty() && std::ranges::all_of(group.sample_weights, is_zero);
    if (no_weight) continue;
    samples.push_back(group.samples);
    weights.push_back(group.sample_weights);
  }
  if (samples.empty()) return {};
  if (options.dither.automatic) {
    std::vector<DitherCells> cells =
        dither_cells(samples, options.mixture.seed, execution, weights);
    if (std::ranges::all_of(cells, &DitherCells::empty)) return {};
    return {.cells = std::move(cells)};
  }
  const Vector steps = grid_steps(samples, execution, weights);
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
