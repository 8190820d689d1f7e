// SPDX-License-Identifier: MIT
#pragma once

#include "device/rows.hpp"
#include "device/tables.hpp"

namespace lbw {

/// Affine maps ready to be applied to single points: columns of every matrix padded to whole cache
/// lines.
struct PackedMaps {
  Index n_features = 0;
  Index n_columns = 0;          ///< of every matrix; 1: a diagonal
  Index padded = 0;             ///< doubles per column
  AlignedArray<double> values;  ///< per map: target mean, then the columns of the matrix
  RowMatrix source_means;

  explicit PackedMaps(const MapTable& maps);

  /// The target mean of a map; the columns of its matrix follow, `padded` apart.
  [[nodiscard]] const double* map(Index i) const {
    return values.data() + i * padded * (n_columns + 1);
  }
  [[nodiscard]] const double* source_mean(Index i) const {
    return source_means.data() + i * n_features;
  }
};

}  // namespace lbw
