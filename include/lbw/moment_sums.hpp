// SPDX-License-Identifier: MIT
// Sums over samples for an EM step, and covariance types.
#pragma once

#include <lbw/matrix.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <string_view>
#include <vector>

namespace lbw {

/// The structure of the covariances of a mixture.
enum class CovarianceType {
  full,       ///< one matrix per component
  tied,       ///< one matrix shared by all components
  diagonal,   ///< one variance per feature and component, no correlations
  spherical,  ///< one variance per component, the same for all features
};

template <>
struct EnumNames<CovarianceType> {
  static constexpr std::string_view option = "covariance_type";
  static constexpr NamedValue<CovarianceType> values[] = {{CovarianceType::full, "full"},
                                                          {CovarianceType::tied, "tied"},
                                                          {CovarianceType::diagonal, "diagonal"},
                                                          {CovarianceType::spherical, "spherical"}};
};

/// The floating-point precision of EM. Sums over samples always use double precision.
enum class Precision {
  f64,  ///< double precision
  f32,  ///< single precision: about twice as fast, log-likelihoods accurate to six digits
};

template <>
struct EnumNames<Precision> {
  static constexpr std::string_view option = "precision";
  static constexpr NamedValue<Precision> values[] = {{Precision::f64, "f64"},
                                                     {Precision::f32, "f32"}};
};

/// The sums of one E-step over a block of samples. Sums of blocks can be added, and the total is
/// sufficient for the next M-step. Let w be the sample weight, r the responsibility and c the
/// component mean during the pass:
struct MomentSums {
  CovarianceType covariance_type = CovarianceType::full;
  RowMatrix centers;        ///< (n_components, n_features): c, equal in all added blocks
  Index n_samples = 0;      ///< number of samples with w > 0
  double weight = 0.0;      ///< sum of w
  Vector component_weight;  ///< (n_components): sum of w r
  RowMatrix first;          ///< (n_components, n_features): sum of w r (x - c)
  /// Sum of w r (x - c)(x - c)^T, in the shapes of Mixture::covariances; if spherical, the sum of w
  /// r |x - c|^2.
  std::vector<Matrix> second;
  double log_likelihood = 0.0;  ///< sum of w log p(x)
  /// The sample of lowest density, where a lost component is placed.
  Vector worst_sample;
  double worst_log_density = std::numeric_limits<double>::infinity();

  /// Empty sums about `centers`.
  [[nodiscard]] static MomentSums about(const RowMatrix& centers, CovarianceType covariance_type);

  /// Adds the sums of another block. Floating-point addition is not associative, so add blocks in a
  /// fixed order for reproducible results.
  /// @throws InvalidArgument  unless both were computed with the same mixture
  MomentSums& operator+=(const MomentSums& other);
};

}  // namespace lbw
