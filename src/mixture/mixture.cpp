// SPDX-License-Identifier: MIT
#include <functional>
#include <lbw/mixture.hpp>
#include <limits>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "mixture/checks.hpp"
#include "mixture/covariances.hpp"

namespace lbw {

namespace {

std::string shape_text(Index rows, Index columns) { return message("(", rows, ", ", columns, ")"); }

void check_shapes(const Mixture& mixture, const char* function, const char* argument) {
  require(mixture.n_components() > 0 && mixture.n_features() > 0, function, ": ", argument,
          ".means is empty, expected one row per component");
  const CovarianceLayout& layout = layout_of(mixture.covariance_type);
  const Index expected = layout.n_matrices(mixture.n_components());
  require(std::ssize(mixture.covariances) == expected, function, ": ", argument, " has ",
          mixture.covariances.size(), " covariances, expected ", expected, " (",
          to_string(mixture.covariance_type), ")");
  const Index rows = layout.n_rows(mixture.n_features());
  const Index columns = layout.n_columns(mixture.n_features());
  for (std::size_t i = 0; i < mixture.covariances.size(); ++i) {
    const Matrix& covariance = mixture.covariances[i];
    require(covariance.rows() == rows && covariance.cols() == columns, function, ": ", argument,
            ".covariances[", i, "] has shape ", shape_text(covariance.rows(), covariance.cols()),
            ", expected ", shape_text(rows, columns));
  }
}

void require_positive_definite(bool is_so, std::size_t position, const char* function,
                               std::string_view argument) {
  require(is_so, function, ": ", argument, ".covariances[", position, "] is not positive definite");
}

void check_values(const Mixture& mixture, const char* function, const char* argument,
                  const std::function<bool(const Matrix&)>& factor) {
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
    const double least = variances_of(covariance, mixture.covariance_type).minCoeff();
    require(!(least > 0.0 && least <= std::numeric_limits<double>::min()), function, ": ", argument,
            ".covariances[", i, "] has the variance ", least,
            ", which is too small for double precision; rescale the features");
    require_positive_definite(factor(covariance), i, function, argument);
  }
}

}  // namespace

Gaussian Mixture::component(Index i) const {
  return {means.row(i),
          full_covariance(compact_covariance(*this, i), covariance_type, n_features())};
}

void check_mixture(const Mixture& mixture, const char* function, const char* argument) {
  const auto factor = [&](const Matrix& compact) {
    return is_positive_definite(compact, mixture.covariance_type);
  };
  check_mixture_by(factor, mixture, function, argument);
}

void check_mixture_by(const std::function<bool(const Matrix& compact)>& factor,
                      const Mixture& mixture, const char* function, const char* argument) {
  check_shapes(mixture, function, argument);
  const std::string weights = message(argument, ".weights");
  check_simplex({mixture.weights.data(), to_size(mixture.weights.size())}, mixture.n_components(),
                function, weights.c_str());
  check_values(mixture, function, argument, factor);
}

void check_positive_definite(const Mixture& mixture, Index position, const char* function,
                             const std::string& argument) {
  const auto at = to_size(position);
  require_positive_definite(is_positive_definite(mixture.covariances[at], mixture.covariance_type),
                            at, function, argument);
}

DensityTable checked_density_table(const Mixture& mixture, const char* function,
                                   const char* argument) {
  std::vector<Whitening> whitened;
  const auto factor = [&](const Matrix& compact) {
    auto own = compact_whitening(compact, mixture.covariance_type, mixture.n_features());
    if (own) whitened.push_back(std::move(*own));
    return own.has_value();
  };
  check_mixture_by(factor, mixture, function, argument);
  return density_table(mixture, whitened);
}

Index n_parameters(const Mixture& mixture) {
  const Index k = mixture.n_components();
  const Index d = mixture.n_features();
  return (k - 1) + k * d + layout_of(mixture.covariance_type).n_parameters(k, d);
}

}  // namespace lbw
