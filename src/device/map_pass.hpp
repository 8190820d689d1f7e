// SPDX-License-Identifier: MIT
// Affine maps, one per component, ready to be applied to single points.
#pragma once

#include "device/rows.hpp"
#include "device/tables.hpp"

namespace lbw {

/// Columns of every matrix padded to whole cache lines.
struct PackedMaps {
  Index n_features = 0;
  Index padded = 0;             ///< doubles per column
  AlignedArray<double> values;  ///< per component: target mean, then the columns of the matrix
  RowMatrix source_means;

  explicit PackedMaps(const MapTable& maps);
};

/// out row i = maps of label i applied to sample i, for i in [begin, end); labels begin at 0. The
/// rows of `out` may be those of the samples. Large output goes around the cache.
void chunk_apply_maps(const PackedMaps& maps, SampleView samples, const int* labels, Index begin,
                      Index end, Eigen::Ref<RowMatrix> out, bool around_cache);

}  // namespace lbw
