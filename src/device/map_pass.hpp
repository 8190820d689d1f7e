// SPDX-License-Identifier: MIT
// One affine map for each point.
#pragma once

#include "device/packed_maps.hpp"

namespace lbw {

/// out row i = maps of label i applied to sample i, for i in [begin, end); labels begin at 0. The
/// rows of `out` may be those of the samples. Large output bypasses the cache.
void chunk_apply_maps(const PackedMaps& maps, SampleView samples, const int* labels, Index begin,
                      Index end, Eigen::Ref<RowMatrix> out, bool around_cache);

}  // namespace lbw
