// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/sample_source.hpp>

#include "mixture/sample_spread.hpp"

namespace lbw {

/// A part of the rows of a source and, unless it is all, its number of rows.
struct SourcePartSize {
  RowPart part = RowPart::all;
  Index n_rows = 0;
};

[[nodiscard]] MixtureFit fit_source_part(SampleSource& source, const SourcePartSize& size,
                                         const MixtureOptions& options);

/// The rows at ascending indices, which may repeat.
[[nodiscard]] RowsAndWeights fetch_rows(SampleSource& source, std::span<const Index> ascending);

/// Mean and covariance of all rows, as sample_spread.
[[nodiscard]] SampleSpread source_spread(SampleSource& source, CovarianceType type,
                                         const MixtureOptions& options);

}  // namespace lbw
