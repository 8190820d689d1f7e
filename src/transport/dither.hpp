// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/dither.hpp>
#include <string>

#include "device/tables.hpp"

namespace lbw {

/// The noise of a model or map: widths or cells, one per feature, or neither.
struct Noise {
  Vector widths = {};
  std::vector<DitherCells> cells = {};

  [[nodiscard]] bool empty() const { return widths.size() == 0 && cells.empty(); }
};

/// Throws InvalidArgument unless the widths are empty or one per feature, finite and >= 0, and the
/// cells are empty or one per feature, finite, ascending and disjoint. Only one of them may be
/// given.
void check_noise(const Vector& widths, std::span<const DitherCells> cells, Index n_features,
                 const char* function, const std::string& argument);

/// The samples and weights of grid_steps and dither_cells. It throws unless they are valid.
[[nodiscard]] std::vector<WeightedSamples> checked_views(
    std::span<const SampleView> samples, std::span<const std::span<const double>> sample_weights,
    const Execution& execution, const char* function);

/// dithered() for samples and noise that were checked; the noise is not empty.
/// @param keys  one per sample
void dither_into(SampleView samples, const Noise& noise, std::uint64_t seed,
                 std::span<const std::uint64_t> keys, const Execution& execution, RowMatrix& out);

}  // namespace lbw
