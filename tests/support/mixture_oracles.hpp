// SPDX-License-Identifier: MIT
// Mixtures by their definitions, in long double: explicit inverse, explicit determinant, an n x k
// matrix of responsibilities.
#pragma once

#include <lbw/mixture.hpp>
#include <span>

namespace lbw::oracle {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

[[nodiscard]] LongVector log_densities(const Mixture& mixture, const RowMatrix& samples);
[[nodiscard]] LongMatrix responsibilities(const Mixture& mixture, const RowMatrix& samples);

/// The covariance of `type` nearest to a full one, in the shape of Mixture::covariances.
[[nodiscard]] Matrix compact(const LongMatrix& full, CovarianceType type);

/// One textbook EM step; weights may be empty.
[[nodiscard]] Mixture em_step(const Mixture& current, const RowMatrix& samples, double floor,
                              std::span<const double> sample_weights = {});

}  // namespace lbw::oracle
