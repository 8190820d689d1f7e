// SPDX-License-Identifier: MIT
// For each point the average of all maps, each as much as the point belongs to its component.
#pragma once

#include <memory>

#include "device/kernel_table.hpp"
#include "device/rows.hpp"
#include "device/tables.hpp"

namespace lbw {

/// Maps that can be averaged number by number: all about one origin.
struct BlendTable {
  Index n_features = 0;
  Index n_columns = 0;  ///< of every matrix; 1: a diagonal
  Index stride = 0;     ///< doubles per map, whole cache lines
  Vector origin;
  /// Per map: where the origin goes, then the columns of the matrix, without gaps. After the last
  /// one more cache line may be read.
  AlignedArray<double> values;

  BlendTable(const MapTable& maps, const Vector& about);

  [[nodiscard]] const double* map(Index i) const { return values.data() + i * stride; }
};

/// Averages, with the working memory of one thread.
class BlendPass {
 public:
  BlendPass() = default;
  BlendPass(const BlendPass&) = delete;
  BlendPass& operator=(const BlendPass&) = delete;
  virtual ~BlendPass() = default;

  /// out row i = sum over components of responsibility times map, of sample i in [begin, end), to
  /// about 1e-12 of how far the maps take a sample apart. A
  /// sample so far out that it belongs to no component takes the first map. The rows of `out` may
  /// be those of the samples. Large output goes around the cache.
  virtual void apply(Index begin, Index end, Eigen::Ref<RowMatrix> out, bool around_cache) = 0;
};

/// @param table  of the densities, in double precision; `table` and `maps` must outlive the pass
[[nodiscard]] std::unique_ptr<BlendPass> make_blend_pass(const KernelTable& table,
                                                         const BlendTable& maps,
                                                         SampleView samples);

}  // namespace lbw
