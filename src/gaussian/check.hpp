// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/gaussian.hpp>
#include <string>

namespace lbw {

/// Throws InvalidArgument unless the covariance is square, not empty, finite, symmetric (1e-8 of
/// its largest entry) and positive semidefinite (smallest eigenvalue >= -1e-10 of the largest).
void check_covariance(const Matrix& covariance, const char* function, const std::string& argument);

/// Checks `argument`.covariance as above. The mean must be finite and have the same dimension.
void check_gaussian(const Gaussian& gaussian, const char* function, const std::string& argument);

}  // namespace lbw
