// SPDX-License-Identifier: MIT
// The average of all maps for each point, weighted by its responsibilities.
#pragma once

#include <memory>
#include <optional>

#include "device/kernel_table.hpp"
#include "device/packed_maps.hpp"
#include "device/rows.hpp"
#include "device/tables.hpp"

namespace lbw {

/// Maps about a common origin, so that they can be averaged entry by entry. The maps must outlive
/// it.
struct BlendTable {
  Index n_features = 0;
  Index n_columns = 0;  ///< of every matrix; 1: a diagonal
  Index stride = 0;     ///< doubles per map, whole cache lines
  Vector origin;
  /// For each map: the image of the origin, then the columns of the matrix, without gaps. Kernels
  /// may read one cache line beyond the end.
  AlignedArray<double> values;
  /// If all matrices are symmetric, for each map: the image of the origin, then the rows of the
  /// lower triangle, without gaps.
  AlignedArray<double> triangles;
  Index n_entries = 0;  ///< numbers of each map in `triangles`

  /// The maps about their own means, and whether to apply each of them instead of the average. The
  /// average loses digits if the origin is many standard deviations away from a component.
  const MapTable& exact;
  bool apply_each = false;

  BlendTable(const MapTable& maps, const DensityTable& densities);

  /// The maps about their own means for many features, where each is applied to all of its points
  /// in turn.
  std::optional<PackedMaps> packed;

  [[nodiscard]] const double* map(Index i) const { return values.data() + i * stride; }
  /// Where `triangles` holds an entry of the matrix of a map.
  [[nodiscard]] Index triangle_place(Index row, Index column) const {
    const Index larger = std::max(row, column);
    return n_features + larger * (larger + 1) / 2 + std::min(row, column);
  }

 private:
  /// Everything about the common origin.
  void set_values(const DensityTable& densities);
  void set_triangles();
};

/// Averages, with the working memory of one thread.
class BlendPass {
 public:
  BlendPass() = default;
  BlendPass(const BlendPass&) = delete;
  BlendPass& operator=(const BlendPass&) = delete;
  virtual ~BlendPass() = default;

  /// Row i of `out` = sum over components of responsibility times map of sample i, for i in
  /// [begin, end). The error is about 1e-12 of the distance between the images of a sample. A
  /// sample without any density uses the first map. `out` may be the samples. Large output bypasses
  /// the cache.
  virtual void apply(Index begin, Index end, Eigen::Ref<RowMatrix> out, bool around_cache) = 0;
};

/// @param table  of the densities, in double precision; `table` and `maps` must outlive the pass
[[nodiscard]] std::unique_ptr<BlendPass> make_blend_pass(const KernelTable& table,
                                                         const BlendTable& maps,
                                                         SampleView samples);

}  // namespace lbw
