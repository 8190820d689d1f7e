// SPDX-License-Identifier: MIT
// Shrinkage of compact covariances towards their mean variance.
#pragma once

#include <lbw/fit_mixture.hpp>
#include <lbw/matrix.hpp>
#include <lbw/moment_sums.hpp>

namespace lbw {

/// The amount for one compact covariance estimated from n samples; see Shrinkage. 0 if its
/// variances are equal by type or because there is one feature.
/// @param scales  the units in which variances are compared, one per feature; empty means 1
[[nodiscard]] double shrinkage_amount(const Shrinkage& shrinkage, const Matrix& compact,
                                      CovarianceType type, double n_samples,
                                      const Vector& scales = {});

/// compact <- (1 - amount) compact + amount (mean variance), in the shape of the type and in units
/// of the scales.
void shrink(Matrix& compact, CovarianceType type, double amount, const Vector& scales = {});

/// @throws InvalidArgument  unless it is automatic or its amount is in [0, 1]
void check_shrinkage(const Shrinkage& shrinkage, const char* function);

}  // namespace lbw
