// SPDX-License-Identifier: MIT
// The compact covariances of a mixture, stored as lbw/moment_sums.hpp says.
#pragma once

#include <lbw/mixture.hpp>
#include <lbw/moment_sums.hpp>
#include <optional>

#include "device/tables.hpp"
#include "linalg/cholesky.hpp"
#include "mixture/regularization.hpp"

namespace lbw {

/// The covariance of component i in the compact shape of the mixture's type.
[[nodiscard]] const Matrix& compact_covariance(const Mixture& mixture, Index component);

/// (n_features, n_features): a compact covariance with all its entries.
[[nodiscard]] Matrix full_covariance(const Matrix& compact, CovarianceType type, Index n_features);

/// The covariance about the mean, computed from the mean second moment about a point at distance
/// `shift` (spherical: of the length): moment - shift shift^T in the shape of the type.
[[nodiscard]] Matrix centered_covariance(const Matrix& compact_moment, const Vector& shift,
                                         CovarianceType type);

/// Adds both floors to the diagonal of a compact covariance.
void add_floor(Matrix& compact, CovarianceType type, const Regularization& regularization);

/// Shrinks a compact covariance estimated from n_samples towards equal variances, then adds the
/// floors.
void regularize(Matrix& compact, CovarianceType type, const Regularization& regularization,
                double n_samples);

/// Whether a covariance of so few samples is singular: n samples span n - 1 dimensions about their
/// mean. Rounding may hide that from a factorization.
[[nodiscard]] bool spans_too_little(double n_samples, Index n_features, CovarianceType type,
                                    const Regularization& regularization);

/// Whether compact_whitening would not be empty, at half of its cost.
[[nodiscard]] bool is_positive_definite(const Matrix& compact, CovarianceType type);

/// Whitening of a compact covariance; empty unless it is positive definite.
[[nodiscard]] std::optional<Whitening> compact_whitening(const Matrix& compact, CovarianceType type,
                                                         Index n_features);

/// The variances on the diagonal of a compact covariance.
[[nodiscard]] Vector variances_of(const Matrix& compact, CovarianceType type);

/// The mixture with all covariances equal to one compact covariance.
[[nodiscard]] Mixture with_shared_covariance(CovarianceType type, const Vector& weights,
                                             const RowMatrix& means, const Matrix& compact);

/// @throws NumericalError  if a covariance is not positive definite, which cannot happen for a
///                         mixture that passed check_mixture
[[nodiscard]] DensityTable density_table(const Mixture& mixture);
/// The same, if the covariances have been whitened before.
[[nodiscard]] DensityTable density_table(const Mixture& mixture,
                                         const std::vector<Whitening>& whitened);

}  // namespace lbw
