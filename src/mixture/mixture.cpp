// SPDX-License-Identifier: MIT
#include <lbw/mixture.hpp>

#include "core/message.hpp"
#include "mixture/covariances.hpp"

namespace lbw {

namespace {

std::string shape_text(Index rows, Index columns) { return message("(", rows, ", ", columns, ")"); }

void check_shapes(const Mixture& mixture, const char* function, const char* argument) {
  require(mixture.n_components() > 0 && mixture.n_features() > 0, function, ": ", argument,
          ".means is empty, expected one row per component");
  const std::size_t expected = n_covariances(mixture.covariance_type, mixture.n_components());
  require(mixture.covariances.size() == expected, function, ": ", argument, " has ",
          mixture.covariances.size(), " covariances, expected ", expected, " (",
          to_string(mixture.covariance_type), ")");
  const auto [rows, columns] = covariance_shape(mixture.covariance_type, mixture.n_features());
  for (std::size_t i = 0; i < mixture.covariances.size(); ++i) {
    const Matrix& covariance = mixture.covariances[i];
    require(covariance.rows() == rows && covariance.cols() == columns, function, ": ", argument,
            ".covariances[", i, "] has shape ", shape_text(covariance.rows(), covariance.cols()),
            ", expected ", shape_text(rows, columns));
  }
}

void check_values(const Mixture& mixture, const char* function, const char* argument) {
  require(mixture.means.allFinite(), function, ": ", argument,
          ".means contains values that are not finite");
  for (std::size_t i = 0; i < mixture.covariances.size(); ++i) {
    const Matrix& covariance = mixture.covariances[i];
    require(covariance.allFinite(), function, ": ", argument, ".covariances[", i,
            "] contains values that are not finite");
    const bool square = covariance.rows() == covariance.cols();
    require(!square || (covariance - covariance.transpose()).cwiseAbs().maxCoeff() <=
                           1e-8 * covariance.cwiseAbs().maxCoeff(),
            function, ": ", argument, ".covariances[", i, "] is not symmetric");
    require(
        compact_whitening(covariance, mixture.covariance_type, mixture.n_features()).has_value(),
        function, ": ", argument, ".covariances[", i, "] is not positive definite");
  }
}

}  // namespace

Gaussian Mixture::component(Index i) const {
  const Matrix& compact = compact_covariance(*this, i);
  const Index d = n_features();
  switch (covariance_type) {
    case CovarianceType::full:
    case CovarianceType::tied:
      return {means.row(i), compact};
    case CovarianceType::diagonal:
      return {means.row(i), compact.col(0).asDiagonal().toDenseMatrix()};
    case CovarianceType::spherical:
      return {means.row(i), compact(0, 0) * Matrix::Identity(d, d)};
  }
  return {};
}

void check_mixture(const Mixture& mixture, const char* function, const char* argument) {
  check_shapes(mixture, function, argument);
  const std::string weights = message(argument, ".weights");
  check_simplex({mixture.weights.data(), static_cast<std::size_t>(mixture.weights.size())},
                mixture.n_components(), function, weights.c_str());
  check_values(mixture, function, argument);
}

Index n_parameters(const Mixture& mixture) {
  const Index k = mixture.n_components();
  const Index d = mixture.n_features();
  const Index triangle = d * (d + 1) / 2;
  Index covariances = 0;
  switch (mixture.covariance_type) {
    case CovarianceType::full:
      covariances = k * triangle;
      break;
    case CovarianceType::tied:
      covariances = triangle;
      break;
    case CovarianceType::diagonal:
      covariances = k * d;
      break;
    case CovarianceType::spherical:
      covariances = k;
      break;
  }
  return (k - 1) + k * d + covariances;
}

}  // namespace lbw
