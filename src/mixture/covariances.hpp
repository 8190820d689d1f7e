// SPDX-License-Identifier: MIT
// The compact covariances of a mixture: shapes by type, written out in full, and back.
#pragma once

#include <lbw/mixture.hpp>
#include <optional>

#include "device/tables.hpp"
#include "linalg/cholesky.hpp"
#include "mixture/regularization.hpp"

namespace lbw {

/// How many matrices a mixture of this type holds.
[[nodiscard]] std::size_t n_covariances(CovarianceType type, Index n_components);
/// Rows and columns of each.
[[nodiscard]] std::pair<Index, Index> covariance_shape(CovarianceType type, Index n_features);

/// The covariance of component i in the compact shape of the mixture's type.
[[nodiscard]] const Matrix& compact_covariance(const Mixture& mixture, Index component);

/// The covariance about a mean, of the mean second moment about a point that is `shift` away from
/// it (spherical: that of the length): moment - shift shift^T, as the type is written.
[[nodiscard]] Matrix centered_covariance(const Matrix& compact_moment, const Vector& shift,
                                         CovarianceType type);

/// Adds both floors to the diagonal of a compact covariance.
void add_floor(Matrix& compact, CovarianceType type, const Regularization& regularization);

/// Draws a compact covariance that so many samples gave towards equal variances, then adds the
/// floors.
void regularize(Matrix& compact, CovarianceType type, const Regularization& regularization,
                double n_samples);

/// Whitening of a compact covariance; empty unless it is positive definite.
[[nodiscard]] std::optional<Whitening> compact_whitening(const Matrix& compact, CovarianceType type,
                                                         Index n_features);

/// The variances on the diagonal of a compact covariance.
[[nodiscard]] Vector variances_of(const Matrix& compact, CovarianceType type);

/// The mixture with all covariances equal to one compact covariance.
[[nodiscard]] Mixture with_shared_covariance(CovarianceType type, const Vector& weights,
                                             const RowMatrix& means, const Matrix& compact);

/// @throws NumericalError when a covariance is not positive definite: unreachable for a mixture
/// that
///         passed check_mixture
[[nodiscard]] DensityTable density_table(const Mixture& mixture);

}  // namespace lbw
