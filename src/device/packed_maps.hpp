// SPDX-License-Identifier: MIT
#pragma once

#include "device/rows.hpp"
#include "device/tables.hpp"

namespace lbw {

/// Affine maps ready to be applied to points. Columns of every matrix are padded to whole cache
/// lines. With many features, they are divided into panels of a few rows, which are read from front
/// to back.
struct PackedMaps {
  /// Rows of a panel, whole vectors of any length.
  static constexpr Index panel_rows = 16;

  Index n_features = 0;
  Index n_columns = 0;      ///< of every matrix; 1: a diagonal
  bool has_panels = false;  ///< whether maps have many features and are not diagonal
  Index padded = 0;         ///< doubles per column, whole panels
  /// Per map, or per panel of a map: target mean, then the columns of the matrix.
  AlignedArray<double> values;
  RowMatrix source_means;

  explicit PackedMaps(const MapTable& maps);

  /// Without panels: the target mean of a map; the columns of its matrix follow, `padded` apart.
  [[nodiscard]] const double* map(Index i) const {
    return values.data() + i * padded * (n_columns + 1);
  }
  /// Some rows of the target mean of a map; those of the columns follow, panel_rows apart.
  [[nodiscard]] const double* panel(Index i, Index first_row) const {
    return map(i) + first_row * (n_columns + 1);
  }
  [[nodiscard]] const double* source_mean(Index i) const {
    return source_means.data() + i * n_features;
  }
};

}  // namespace lbw
