// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace lbw {

/// What the components of a mixture share or leave out of their covariances.
enum class CovarianceType {
  full,       ///< each its own matrix
  tied,       ///< one matrix for all
  diagonal,   ///< each its own variances, no correlations
  spherical,  ///< each one variance for all features
};

/// "full", "tied", "diagonal" or "spherical".
[[nodiscard]] std::string_view to_string(CovarianceType type);

/// The inverse of to_string. @throws InvalidArgument listing the four names.
[[nodiscard]] CovarianceType covariance_type_from(std::string_view name);

}  // namespace lbw
