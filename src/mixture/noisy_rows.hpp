// SPDX-License-Identifier: MIT
// Noise of the rows of a source.
#pragma once

#include <lbw/sample_source.hpp>
#include <span>

namespace lbw {

/// Throws InvalidArgument unless the noise fits the number of features: finite widths >= 0, or
/// finite, ascending and disjoint cells.
void check_row_noise(const RowNoise& noise, Index n_features, const char* function);

/// The rows with noise.
/// @param indices  of the rows in their source, which are their keys
[[nodiscard]] RowMatrix noisy_rows(SampleView rows, const RowNoise& noise,
                                   std::span<const Index> indices, const Execution& execution);

}  // namespace lbw
