// SPDX-License-Identifier: MIT
// Sums over samples that an EM step needs, and the shapes of covariances.
#pragma once

#include <lbw/matrix.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <string_view>
#include <vector>

namespace lbw {

/// What the components of a mixture share or leave out of their covariances.
enum class CovarianceType {
  full,       ///< each its own matrix
  tied,       ///< one matrix for all
  diagonal,   ///< each its own variances, no correlations
  spherical,  ///< each one variance for all features
};

template <>
struct EnumNames<CovarianceType> {
  static constexpr std::string_view option = "covariance_type";
  static constexpr NamedValue<CovarianceType> values[] = {{CovarianceType::full, "full"},
                                                          {CovarianceType::tied, "tied"},
                                                          {CovarianceType::diagonal, "diagonal"},
                                                          {CovarianceType::spherical, "spherical"}};
};

/// What EM computes in. Sums over samples are in double precision always.
enum class Precision {
  f64,  ///< double
  f32,  ///< single: about twice as fast, log-likelihoods good to six digits
};

template <>
struct EnumNames<Precision> {
  static constexpr std::string_view option = "precision";
  static constexpr NamedValue<Precision> values[] = {{Precision::f64, "f64"},
                                                     {Precision::f32, "f32"}};
};

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
