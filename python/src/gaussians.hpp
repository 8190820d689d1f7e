// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/gaussian.hpp>
#include <lbw/types.hpp>
#include <string>
#include <vector>

#include "arrays.hpp"

namespace lbw::python {

/// Gaussians of stacked means (n, d) and covariances (n, d, d).
[[nodiscard]] inline std::vector<Gaussian> gaussians_of(const MatrixArray& means,
                                                        const CubeArray& covariances,
                                                        const char* argument) {
  const std::size_t n = means.shape(0);
  const std::size_t d = means.shape(1);
  if (covariances.shape(0) != n || covariances.shape(1) != d || covariances.shape(2) != d) {
    throw InvalidArgument(
        std::string(argument) + ": means are (" + std::to_string(n) + ", " + std::to_string(d) +
        "), covariances (" + std::to_string(covariances.shape(0)) + ", " +
        std::to_string(covariances.shape(1)) + ", " + std::to_string(covariances.shape(2)) + ")");
  }
  const auto size = static_cast<Index>(d);
  std::vector<Gaussian> gaussians(n);
  for (std::size_t i = 0; i < n; ++i) {
    gaussians[i].mean = Eigen::Map<const Vector>(means.data() + i * d, size);
    gaussians[i].covariance =
        Eigen::Map<const RowMatrix>(covariances.data() + i * d * d, size, size);
  }
  return gaussians;
}

}  // namespace lbw::python
