// SPDX-License-Identifier: MIT
// Compact covariances drawn towards their mean variance.
#pragma once

#include <lbw/fit_mixture.hpp>
#include <lbw/matrix.hpp>
#include <lbw/moment_sums.hpp>

namespace lbw {

/// The amount for one compact covariance that was estimated from so many samples; see Shrinkage.
/// 0 for one that has equal variances by its type or its only feature.
[[nodiscard]] double shrinkage_amount(const Shrinkage& shrinkage, const Matrix& compact,
                                      CovarianceType type, double n_samples);

/// compact <- (1 - amount) compact + amount (mean variance), as the type is written.
void shrink(Matrix& compact, CovarianceType type, double amount);

/// @throws InvalidArgument unless it is automatic or its amount is in [0, 1]
void check_shrinkage(const Shrinkage& shrinkage, const char* function);

}  // namespace lbw
