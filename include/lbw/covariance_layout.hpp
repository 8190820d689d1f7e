// SPDX-License-Identifier: MIT
// How the covariances of a mixture are stored. Memory, files and Python all follow this table.
#pragma once

#include <lbw/matrix.hpp>
#include <lbw/moment_sums.hpp>
#include <lbw/types.hpp>
#include <string_view>
#include <vector>

namespace lbw {

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

}  // namespace lbw
