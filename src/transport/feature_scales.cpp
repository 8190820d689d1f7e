// SPDX-License-Identifier: MIT
#include "transport/feature_scales.hpp"

#include "core/message.hpp"
#include "mixture/covariances.hpp"

namespace lbw {

namespace {

Mixture divided(const Mixture& mixture, const Vector& scales) {
  Mixture result = mixture;
  result.means = mixture.means * scales.cwiseInverse().asDiagonal();
  if (layout_of(mixture.covariance_type).is_spherical()) {
    result.covariance_type = CovarianceType::diagonal;
  }
  for (Matrix& covariance : result.covariances) {
    if (layout_of(mixture.covariance_type).has_matrices()) {
      covariance = scaled(covariance, scales);
      continue;
    }
    const Vector deviations =
        covariance.cwiseSqrt().replicate(scales.size() / covariance.rows(), 1);
    covariance = deviations.cwiseQuotient(scales).cwiseAbs2();
  }
  return result;
}

}  // namespace

Vector feature_spread(std::span<const Mixture> mixtures) {
  const Index d = mixtures.front().n_features();
  const auto n_mixtures = static_cast<double>(mixtures.size());
  std::vector<Vector> means;
  Vector mean = Vector::Zero(d);
  for (const Mixture& mixture : mixtures) {
    means.emplace_back(mixture.means.transpose() * mixture.weights);
    mean += means.back() / n_mixtures;
  }
  Vector variances = Vector::Zero(d);
  for (const Mixture& mixture : mixtures) {
    for (Index i = 0; i < mixture.n_components(); ++i) {
      const Vector from_mean = mixture.means.row(i).transpose() - mean;
      const Vector own = mixture.component(i).covariance.diagonal();
      variances += mixture.weights[i] / n_mixtures * (own + from_mean.cwiseAbs2());
    }
  }
  return (variances.array() > 0.0).select(variances.cwiseSqrt(), 1.0);
}

void check_scales(const Vector& scales, Index n_features, const char* function,
                  const std::string& argument) {
  if (scales.size() == 0) return;
  require(scales.size() == n_features, function, ": ", argument, " has ",
          counted(scales.size(), "entry"), ", expected ", n_features);
  for (const double scale : scales) {
    require(scale >= 1e-300 && scale <= 1e300, function, ": ", argument, " has the value ", scale,
            ", expected numbers from 1e-300 to 1e300");
  }
}

void check_scales(const Vector& scales, std::span<const Mixture> mixtures, const char* function,
                  const std::string& argument) {
  constexpr double most = 1e100;  // so that squares do not overflow or underflow
  check_scales(scales, mixtures.front().n_features(), function, argument);
  if (scales.size() == 0) return;
  const Vector spread = feature_spread(mixtures);
  for (Index f = 0; f < scales.size(); ++f) {
    require(scales[f] / most <= spread[f] && spread[f] / most <= scales[f], function, ": ",
            argument, " has the value ", scales[f], " for feature ", f,
            " (counted from 0), whose standard deviation over all groups is ", spread[f],
            "; expected a scale of similar size; fit the model again");
  }
}

std::vector<Mixture> scaled(std::span<const Mixture> mixtures, const Vector& scales) {
  std::vector<Mixture> result(mixtures.begin(), mixtures.end());
  if (scales.size() == 0) return result;
  for (Mixture& mixture : result) mixture = divided(mixture, scales);
  return result;
}

Gaussian scaled(const Gaussian& gaussian, const Vector& scales) {
  if (scales.size() == 0) return gaussian;
  return {gaussian.mean.cwiseQuotient(scales), scaled(gaussian.covariance, scales)};
}

Matrix scaled(const Matrix& covariance, const Vector& scales) {
  if (scales.size() == 0) return covariance;
  const Vector factors = scales.cwiseInverse();
  return factors.asDiagonal() * covariance * factors.asDiagonal();
}

AffineMap unscaled(const AffineMap& map, const Vector& scales) {
  if (scales.size() == 0) return map;
  Matrix matrix = scales.asDiagonal() * map.matrix * scales.cwiseInverse().asDiagonal();
  if (map.matrix.isIdentity(0.0)) matrix = map.matrix;  // exactly
  return {map.source_mean.cwiseProduct(scales), std::move(matrix),
          map.target_mean.cwiseProduct(scales)};
}

Matrix unscaled(const Matrix& covariance, const Vector& scales) {
  if (scales.size() == 0) return covariance;
  return scales.asDiagonal() * covariance * scales.asDiagonal();
}

}  // namespace lbw
