// SPDX-License-Identifier: MIT
// The input of the loops over samples: plain tables that the rooms above build once per pass.
#pragma once

#include <cstdint>
#include <lbw/matrix.hpp>
#include <lbw/moment_sums.hpp>
#include <lbw/samples.hpp>
#include <span>
#include <vector>

#include "device/monotone_knots.hpp"

namespace lbw {

/// Samples in the memory of a device. A device that has memory of its own derives from it.
class ResidentSamples {
 public:
  ResidentSamples() = default;
  ResidentSamples(const ResidentSamples&) = delete;
  ResidentSamples& operator=(const ResidentSamples&) = delete;
  virtual ~ResidentSamples() = default;
};

struct WeightedSamples {
  SampleView samples;
  std::span<const double> weights = {};  ///< empty: every sample counts 1
  /// The copy that the device keeps between passes, from Device::keep. Null: none.
  const ResidentSamples* resident = nullptr;

  [[nodiscard]] double weight(Index sample) const {
    return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(sample)];
  }
};

/// Whether second moments are only squares.
[[nodiscard]] inline bool has_squares_alone(CovarianceType type) {
  return type == CovarianceType::diagonal || type == CovarianceType::spherical;
}

/// First and second moments of a component: d features, and d squares or all d (d + 1) / 2
/// products.
[[nodiscard]] inline Index n_moments(Index n_features, bool squares_alone) {
  return n_features + (squares_alone ? n_features : n_features * (n_features + 1) / 2);
}

/// A mixture, ready for evaluating densities:
/// log(weight_k N(x; mean_k, S_k)) = log_scale_k - 1/2 ||whitening_k (x - mean_k)||^2.
struct DensityTable {
  CovarianceType covariance_type = CovarianceType::full;
  RowMatrix means;   ///< (n_components, n_features)
  Vector log_scale;  ///< log weight - 1/2 (n_features log 2 pi + log det S)
  /// L^-1 with S = L L^T, in the shapes of Mixture::covariances: lower triangles, a single one if
  /// tied, inverse standard deviations if diagonal or spherical.
  std::vector<Matrix> whitening;

  [[nodiscard]] Index n_components() const { return means.rows(); }
  [[nodiscard]] Index n_features() const { return means.cols(); }
  [[nodiscard]] const Matrix& whitening_of(Index component) const {
    return covariance_type == CovarianceType::tied ? whitening.front()
                                                   : whitening[static_cast<std::size_t>(component)];
  }
};

/// Affine maps, one per component or piece: x -> target_means_k + matrices_k (x - source_means_k).
struct MapTable {
  RowMatrix source_means;
  /// All (n_features, n_features), or all (n_features, 1): the diagonals of diagonal maps.
  std::vector<Matrix> matrices;
  RowMatrix target_means;

  /// Columns of each matrix.
  [[nodiscard]] Index n_columns() const { return matrices.front().cols(); }
};

/// The pieces of all components, numbered consecutively, and their probabilities.
struct PieceTable {
  std::uint64_t seed = 0;
  std::vector<int> first_piece;  ///< (n_components): the number of each one's first
  /// (n_components, largest number of pieces - 1): cumulative shares of the pieces of a component
  /// without the last, padded with 2 so that all components have equally many.
  RowMatrix borders;

  /// The piece of a component that a number in [0, 1) selects. The index after the last component,
  /// the result of a draw without any density, counts as the first.
  [[nodiscard]] int piece(int component, double number) const {
    const std::size_t k = static_cast<std::size_t>(component) < first_piece.size()
                              ? static_cast<std::size_t>(component)
                              : 0;
    const double* border = borders.data() + static_cast<Index>(k) * borders.cols();
    int passed = 0;
    for (Index i = 0; i < borders.cols(); ++i) passed += number >= border[i] ? 1 : 0;
    return first_piece[k] + passed;
  }
};

/// One step of a refinement: rotate, map every coordinate, rotate back.
struct StepTable {
  Matrix rotation;  ///< of points in their own units, so it includes the scales
  Matrix inverse;
  std::vector<MonotoneKnots> axes;  ///< one per row of the rotation
};

/// The intervals that the noise of one feature fills, in ascending order and disjoint.
struct CellTable {
  std::span<const double> lower;
  std::span<const double> upper;
};

/// Uniform noise of every feature: a width, or the interval that contains the value.
struct NoiseTable {
  std::uint64_t seed = 0;
  std::span<const double> widths;  ///< one per feature, or empty
  std::vector<CellTable> cells;    ///< likewise
};

}  // namespace lbw
