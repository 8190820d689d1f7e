// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/covariance_type.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <vector>

namespace lbw {

/// What one pass over a block of samples under a mixture leaves behind: enough to add up blocks and
/// to take the next EM step, and nothing else of the samples. With w the sample weight, r the
/// responsibility and c the mean that the component had during the pass:
struct MomentSums {
  CovarianceType covariance_type = CovarianceType::full;
  RowMatrix centers;        ///< (n_components, n_features): c, equal in all blocks that are added
  Index n_samples = 0;      ///< samples seen with w > 0
  double weight = 0.0;      ///< sum of w
  Vector component_weight;  ///< (n_components): sum of w r
  RowMatrix first;          ///< (n_components, n_features): sum of w r (x - c)
  /// Sum of w r (x - c)(x - c)^T, in the shapes of Mixture::covariances; the spherical form sums
  /// the squared length.
  std::vector<Matrix> second;
  double log_likelihood = 0.0;  ///< sum of w log p(x)
  /// The sample that the mixture explains worst: where a lost component is put back.
  Vector worst_sample;
  double worst_log_density = std::numeric_limits<double>::infinity();

  /// Empty sums about `centers`.
  [[nodiscard]] static MomentSums about(const RowMatrix& centers, CovarianceType covariance_type);

  /// Adds the sums of another block. Addition of doubles is not associative: add blocks in a fixed
  /// order for results that repeat.
  /// @throws InvalidArgument unless both were taken under the same mixture
  MomentSums& operator+=(const MomentSums& other);
};

}  // namespace lbw
