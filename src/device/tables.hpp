// SPDX-License-Identifier: MIT
// What the hot loops work on: plain tables, made once per pass by the rooms below.
#pragma once

#include <lbw/covariance_type.hpp>
#include <lbw/sample_view.hpp>
#include <lbw/types.hpp>
#include <span>
#include <vector>

namespace lbw {

struct WeightedSamples {
  SampleView samples;
  std::span<const double> weights;  ///< empty: every sample counts 1

  [[nodiscard]] double weight(Index sample) const {
    return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(sample)];
  }
};

/// Whether second moments are squares alone.
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
  /// L^-1 with S = L L^T, in the shapes of Mixture::covariances: lower triangles, one for all when
  /// tied, inverse standard deviations when diagonal or spherical.
  std::vector<Matrix> whitening;

  [[nodiscard]] Index n_components() const { return means.rows(); }
  [[nodiscard]] Index n_features() const { return means.cols(); }
  [[nodiscard]] const Matrix& whitening_of(Index component) const {
    return covariance_type == CovarianceType::tied ? whitening.front()
                                                   : whitening[static_cast<std::size_t>(component)];
  }
};

/// One affine map per component: x -> target_means_k + matrices_k (x - source_means_k).
struct MapTable {
  RowMatrix source_means;
  std::vector<Matrix> matrices;
  RowMatrix target_means;
};

}  // namespace lbw
