// SPDX-License-Identifier: MIT
#include "gaussian/check.hpp"

#include <cmath>

#include "core/message.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/psd.hpp"

namespace lbw {

namespace {

void check_finite(const Matrix& covariance, const char* function, const std::string& argument) {
  for (Index row = 0; row < covariance.rows(); ++row) {
    for (Index column = 0; column < covariance.cols(); ++column) {
      require(std::isfinite(covariance(row, column)), function, ": ", argument, "(", row, ", ",
              column, ") is ", covariance(row, column), ", expected a finite number");
    }
  }
}

void check_symmetric(const Matrix& covariance, const char* function, const std::string& argument) {
  const double allowed = 1e-8 * covariance.cwiseAbs().maxCoeff();
  for (Index row = 0; row < covariance.rows(); ++row) {
    for (Index column = row + 1; column < covariance.cols(); ++column) {
      const double upper = covariance(row, column);
      const double lower = covariance(column, row);
      require(std::abs(upper - lower) <= allowed, function, ": ", argument, "(", row, ", ", column,
              ") is ", upper, " and (", column, ", ", row, ") is ", lower,
              ", expected a symmetric matrix (within 1e-8 of its largest entry)");
    }
  }
}

void check_semidefinite(const Matrix& covariance, const char* function,
                        const std::string& argument) {
  if (cholesky_factor(symmetrized(covariance))) return;  // sufficient, at a tenth of the cost
  const double scale = binary_scale(covariance);  // so that the test does not depend on units
  const Vector eigenvalues = symmetric_eigenvalues(covariance / scale);
  const double smallest = eigenvalues.minCoeff();
  const double largest = eigenvalues.cwiseAbs().maxCoeff();
  require(smallest >= -1e-10 * largest, function, ": ", argument, " has the eigenvalue ",
          smallest * scale,
          ", expected a positive semidefinite matrix (eigenvalues >= -1e-10 of the largest)");
}

}  // namespace

void check_covariance(const Matrix& covariance, const char* function, const std::string& argument) {
  require(covariance.rows() == covariance.cols() && covariance.size() > 0, function, ": ", argument,
          " is ", covariance.rows(), " x ", covariance.cols(),
          ", expected a square matrix of at least one feature");
  check_finite(covariance, function, argument);
  check_symmetric(covariance, function, argument);
  check_semidefinite(covariance, function, argument);
}

void check_gaussian(const Gaussian& gaussian, const char* function, const std::string& argument) {
  check_covariance(gaussian.covariance, function, argument + ".covariance");
  require(gaussian.mean.size() == gaussian.covariance.rows(), function, ": ", argument,
          ".mean has ", counted(gaussian.mean.size(), "entry"), ", expected ",
          gaussian.covariance.rows(), ", one per feature of ", argument, ".covariance");
  for (Index feature = 0; feature < gaussian.mean.size(); ++feature) {
    require(std::isfinite(gaussian.mean[feature]), function, ": ", argument, ".mean[", feature,
            "] is ", gaussian.mean[feature], ", expected a finite number");
  }
}

}  // namespace lbw
