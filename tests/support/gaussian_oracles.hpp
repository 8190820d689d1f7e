// SPDX-License-Identifier: MIT
// Eq. 2, 3, 5 and 6 as printed in the paper, with matrix roots in long double. Slow, and only for
// covariances that are not near-singular.
#pragma once

#include <Eigen/Eigenvalues>
#include <cmath>
#include <lbw/gaussian.hpp>
#include <vector>

namespace lbw::oracle {

inline double smallest_eigenvalue(const Matrix& matrix) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(matrix, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .minCoeff();
}

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// V diag(eigenvalues^power) V^T of a symmetric matrix; eigenvalues <= 0 count as 0.
inline LongMatrix symmetric_power(const LongMatrix& matrix, long double power) {
  const Eigen::SelfAdjointEigenSolver<LongMatrix> solver((matrix + matrix.transpose()) / 2.0L);
  LongVector eigenvalues = solver.eigenvalues();
  for (long double& value : eigenvalues) value = value > 0.0L ? std::pow(value, power) : 0.0L;
  return solver.eigenvectors() * eigenvalues.asDiagonal() * solver.eigenvectors().transpose();
}

inline LongMatrix widened(const Matrix& matrix) { return matrix.cast<long double>(); }

/// (S^1/2 R S^1/2)^1/2
inline LongMatrix cross_root(const Matrix& source, const Matrix& target) {
  const LongMatrix root = symmetric_power(widened(source), 0.5L);
  return symmetric_power(root * widened(target) * root, 0.5L);
}

/// Eq. 2
inline double squared_distance(const Gaussian& first, const Gaussian& second) {
  const LongVector difference = first.mean.cast<long double>() - second.mean.cast<long double>();
  return static_cast<double>(difference.squaredNorm() + widened(first.covariance).trace() +
                             widened(second.covariance).trace() -
                             2.0L * cross_root(first.covariance, second.covariance).trace());
}

/// Eq. 3
inline Matrix map_matrix(const Matrix& source, const Matrix& target) {
  const LongMatrix inverse_root = symmetric_power(widened(source), -0.5L);
  return (inverse_root * cross_root(source, target) * inverse_root).cast<double>();
}

/// Covariance of the barycenter of two: C S C, C = (1 - t) I + t T, where t is the target's weight.
inline Matrix geodesic_covariance(const Matrix& source, const Matrix& target, double t) {
  const Index n = source.rows();
  const LongMatrix inverse_root = symmetric_power(widened(source), -0.5L);
  const LongMatrix map = inverse_root * cross_root(source, target) * inverse_root;
  const LongMatrix step = (1.0L - t) * LongMatrix::Identity(n, n) + t * map;
  return (step * widened(source) * step).cast<double>();
}

/// Eq. 5: sum_i w_i W2^2(candidate, gaussian_i)
inline double barycenter_objective(const Gaussian& candidate,
                                   const std::vector<Gaussian>& gaussians,
                                   const std::vector<double>& weights) {
  double sum = 0.0;
  for (std::size_t i = 0; i < gaussians.size(); ++i) {
    sum += weights[i] * oracle::squared_distance(candidate, gaussians[i]);
  }
  return sum;
}

/// Eq. 6: ||S - sum_i w_i (S^1/2 S_i S^1/2)^1/2||_F / ||S||_F
inline double fixed_point_residual(const Matrix& covariance, const std::vector<Gaussian>& gaussians,
                                   const std::vector<double>& weights) {
  LongMatrix difference = widened(covariance);
  for (std::size_t i = 0; i < gaussians.size(); ++i) {
    difference -=
        static_cast<long double>(weights[i]) * cross_root(covariance, gaussians[i].covariance);
  }
  return static_cast<double>(difference.norm() / widened(covariance).norm());
}

/// The maximum over the features f of sqrt([(T - I) S (T - I)]_ff / S_ff), where T is the average
/// of the maps from S to the covariances.
inline double step_residual(const Matrix& covariance, const std::vector<Gaussian>& gaussians,
                            const std::vector<double>& weights) {
  const LongMatrix inverse_root = symmetric_power(widened(covariance), -0.5L);
  LongMatrix off = -LongMatrix::Identity(covariance.rows(), covariance.cols());
  for (std::size_t i = 0; i < gaussians.size(); ++i) {
    off += static_cast<long double>(weights[i]) *
           (inverse_root * cross_root(covariance, gaussians[i].covariance) * inverse_root);
  }
  const LongMatrix change = off * widened(covariance) * off;
  const LongVector relative =
      change.diagonal().cwiseQuotient(widened(covariance).diagonal()).cwiseAbs().cwiseSqrt();
  return static_cast<double>(relative.maxCoeff());
}

}  // namespace lbw::oracle
