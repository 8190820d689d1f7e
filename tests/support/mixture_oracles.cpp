// SPDX-License-Identifier: MIT
#include "support/mixture_oracles.hpp"

#include <Eigen/LU>
#include <cmath>
#include <numbers>

namespace lbw::oracle {

namespace {

/// weight_k N(x_i; k) for all samples and components.
LongMatrix joint_densities(const Mixture& mixture, const RowMatrix& samples) {
  LongMatrix joint(samples.rows(), mixture.n_components());
  for (Index k = 0; k < mixture.n_components(); ++k) {
    const Gaussian component = mixture.component(k);
    const LongMatrix covariance = component.covariance.cast<long double>();
    const LongMatrix inverse = covariance.inverse();
    const long double scale =
        static_cast<long double>(mixture.weights[k]) /
        std::sqrt((2.0L * std::numbers::pi_v<long double> * covariance).determinant());
    for (Index i = 0; i < samples.rows(); ++i) {
      const LongVector difference =
          (samples.row(i).transpose() - component.mean).cast<long double>();
      joint(i, k) = scale * std::exp(-0.5L * difference.dot(inverse * difference));
    }
  }
  return joint;
}

}  // namespace

LongVector log_densities(const Mixture& mixture, const RowMatrix& samples) {
  return joint_densities(mixture, samples).rowwise().sum().array().log();
}

LongMatrix responsibilities(const Mixture& mixture, const RowMatrix& samples) {
  LongMatrix joint = joint_densities(mixture, samples);
  for (Index i = 0; i < joint.rows(); ++i) joint.row(i) /= joint.row(i).sum();
  return joint;
}

Matrix compact(const LongMatrix& full, CovarianceType type) {
  switch (type) {
    case CovarianceType::full:
    case CovarianceType::tied:
      return full.cast<double>();
    case CovarianceType::diagonal:
      return full.diagonal().cast<double>();
    case CovarianceType::spherical:
      return Matrix::Constant(1, 1, static_cast<double>(full.diagonal().mean()));
  }
  return {};
}

Mixture em_step(const Mixture& current, const RowMatrix& samples, double floor,
                std::span<const double> sample_weights) {
  const Index d = samples.cols();
  LongMatrix r = responsibilities(current, samples);
  for (Index i = 0; i < r.rows() && !sample_weights.empty(); ++i) {
    r.row(i) *= static_cast<long double>(sample_weights[static_cast<std::size_t>(i)]);
  }
  const LongMatrix x = samples.cast<long double>();
  const LongMatrix ridge = static_cast<long double>(floor) * LongMatrix::Identity(d, d);
  Mixture next{current.covariance_type, Vector(r.cols()), RowMatrix(r.cols(), d), {}};
  LongMatrix pooled = LongMatrix::Zero(d, d);
  for (Index k = 0; k < r.cols(); ++k) {
    const long double mass = r.col(k).sum();
    const LongVector mean = x.transpose() * r.col(k) / mass;
    const LongMatrix centered = x.rowwise() - mean.transpose();
    const LongMatrix scatter = centered.transpose() * r.col(k).asDiagonal() * centered;
    next.weights[k] = static_cast<double>(mass / r.sum());
    next.means.row(k) = mean.cast<double>().transpose();
    next.covariances.push_back(compact(scatter / mass + ridge, current.covariance_type));
    pooled += scatter;
  }
  if (current.covariance_type == CovarianceType::tied) {
    next.covariances = {(pooled / r.sum() + ridge).cast<double>()};
  }
  return next;
}

}  // namespace lbw::oracle
