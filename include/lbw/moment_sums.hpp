// SPDX-License-Identifier: MIT
// Types of covariances and how they are stored, and sums over samples for an EM step.
#pragma once

#include <cstdint>
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

/// The entries of a covariance that are stored.
enum class CovarianceEntries {
  matrix,     ///< all of them: (n_features, n_features)
  variances,  ///< the diagonal: (n_features, 1)
  variance,   ///< one number for the whole diagonal: (1, 1)
};

template <>
struct EnumNames<CovarianceEntries> {
  static constexpr std::string_view option = "entries";
  static constexpr NamedValue<CovarianceEntries> values[] = {
      {CovarianceEntries::matrix, "matrix"},
      {CovarianceEntries::variances, "variances"},
      {CovarianceEntries::variance, "variance"}};
};

/// How the covariances of one type are stored.
struct CovarianceLayout {
  CovarianceType type = CovarianceType::full;
  CovarianceEntries entries = CovarianceEntries::matrix;
  bool is_shared = false;  ///< whether all components have the same covariance

  /// Whether correlations between features are stored, and not only variances.
  [[nodiscard]] constexpr bool has_matrices() const { return entries == CovarianceEntries::matrix; }
  [[nodiscard]] constexpr bool is_spherical() const {
    return entries == CovarianceEntries::variance;
  }

  /// The number of matrices in Mixture::covariances.
  [[nodiscard]] constexpr Index n_matrices(Index n_components) const {
    return is_shared ? 1 : n_components;
  }
  /// The position of a component's covariance among them.
  [[nodiscard]] constexpr Index position(Index component) const {
    return is_shared ? 0 : component;
  }
  [[nodiscard]] constexpr Index n_rows(Index n_features) const {
    return is_spherical() ? 1 : n_features;
  }
  [[nodiscard]] constexpr Index n_columns(Index n_features) const {
    return has_matrices() ? n_features : 1;
  }

  /// The number of free parameters of all covariances together.
  [[nodiscard]] Index n_parameters(Index n_components, Index n_features) const;
  /// The shape of all covariances as one array, as in files and in Python: (n_components,
  /// n_features, n_features) if full, without the first axis if shared, and without the axes that
  /// `entries` leaves out.
  [[nodiscard]] std::vector<Index> array_shape(Index n_components, Index n_features) const;
};

/// One layout per type, in the order of the enumeration.
inline constexpr CovarianceLayout covariance_layouts[] = {
    {CovarianceType::full, CovarianceEntries::matrix, false},
    {CovarianceType::tied, CovarianceEntries::matrix, true},
    {CovarianceType::diagonal, CovarianceEntries::variances, false},
    {CovarianceType::spherical, CovarianceEntries::variance, false}};

[[nodiscard]] constexpr const CovarianceLayout& layout_of(CovarianceType type) {
  return covariance_layouts[static_cast<int>(type)];
}

/// The floating-point precision of EM. Sums over samples always use double precision.
enum class Precision {
  f64,  ///< double precision
  f32,  ///< single precision: about 60 % of the time, log-likelihoods accurate to six digits
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
  /// A number that identifies the mixture of the pass; 0 if that is not known.
  std::uint64_t mixture = 0;
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
