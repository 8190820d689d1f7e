// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/mixture.hpp>
#include <string>

#include "arrays.hpp"

namespace lbw::python {

/// @param covariances  in scikit-learn's shape for the type: full (k, d, d), tied (d, d), diagonal
///                     (k, d), spherical (k)
[[nodiscard]] Mixture mixture_of(const std::string& covariance_type, const VectorArray& weights,
                                 const MatrixArray& means, const DoubleArray& covariances);

[[nodiscard]] CovariancesOut covariances_to_numpy(const Mixture& mixture);

}  // namespace lbw::python
