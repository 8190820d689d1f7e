// SPDX-License-Identifier: MIT
#include "device/packed_maps.hpp"

namespace lbw {

PackedMaps::PackedMaps(const MapTable& maps)
    : n_features(maps.source_means.cols()),
      n_columns(maps.n_columns()),
      has_panels(n_columns > 1 && n_features >= fewest_features_of_panels),
      // whole tiles of four vectors of any length
      padded(has_panels         ? (n_features + panel_rows - 1) / panel_rows * panel_rows
             : n_features <= 16 ? (n_features + 7) / 8 * 8
                                : (n_features + 31) / 32 * 32),
      values(maps.source_means.rows() * padded * (n_columns + 1)),
      source_means(maps.source_means) {
  const Index n_rows = has_panels ? panel_rows : padded;
  double* to = values.data();
  for (Index k = 0; k < source_means.rows(); ++k) {
    const Matrix& matrix = maps.matrices[static_cast<std::size_t>(k)];
    for (Index first = 0; first < padded; first += n_rows) {
      const Index n = std::min(n_rows, n_features - first);
      for (Index i = 0; i < n; ++i) to[i] = maps.target_means(k, first + i);
      for (Index c = 0; c < n_columns; ++c) {
        to += n_rows;
        for (Index i = 0; i < n; ++i) to[i] = matrix(first + i, c);
      }
      to += n_rows;
    }
  }
}

}  // namespace lbw
