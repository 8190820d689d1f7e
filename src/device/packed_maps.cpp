// SPDX-License-Identifier: MIT
#include "device/packed_maps.hpp"

namespace lbw {

PackedMaps::PackedMaps(const MapTable& maps)
    : n_features(maps.source_means.cols()),
      n_columns(maps.n_columns()),
      // whole tiles of four vectors of any length
      padded(n_features <= 16 ? (n_features + 7) / 8 * 8 : (n_features + 31) / 32 * 32),
      values(maps.source_means.rows() * padded * (n_columns + 1)),
      source_means(maps.source_means) {
  for (Index k = 0; k < source_means.rows(); ++k) {
    double* to = values.data() + k * padded * (n_columns + 1);
    for (Index i = 0; i < n_features; ++i) to[i] = maps.target_means(k, i);
    const Matrix& matrix = maps.matrices[static_cast<std::size_t>(k)];
    for (Index c = 0; c < n_columns; ++c) {
      to += padded;
      for (Index i = 0; i < n_features; ++i) to[i] = matrix(i, c);
    }
  }
}

}  // namespace lbw
