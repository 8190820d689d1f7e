// SPDX-License-Identifier: MIT
// Random matrices and Gaussians of known shape, the same on every run.
#pragma once

#include <Eigen/QR>
#include <cmath>
#include <cstdint>
#include <lbw/gaussian.hpp>
#include <lbw/random.hpp>
#include <vector>

namespace lbw {

inline Matrix random_normal_matrix(Index rows, Index columns, Random& random) {
  Matrix matrix(rows, columns);
  for (Index row = 0; row < rows; ++row) {
    for (Index column = 0; column < columns; ++column) matrix(row, column) = random.normal();
  }
  return matrix;
}

inline Vector random_normal_vector(Index size, Random& random) {
  return random_normal_matrix(size, 1, random);
}

/// Orthogonal, possibly with a reflection.
inline Matrix random_rotation(Index dimension, Random& random) {
  const Matrix matrix = random_normal_matrix(dimension, dimension, random);
  return Eigen::HouseholderQR<Matrix>(matrix).householderQ();
}

/// Exactly symmetric, with these eigenvalues (to rounding) in random directions.
inline Matrix random_covariance(const Vector& eigenvalues, Random& random) {
  const Matrix rotation = random_rotation(eigenvalues.size(), random);
  const Matrix covariance = rotation * eigenvalues.asDiagonal() * rotation.transpose();
  return 0.5 * (covariance + covariance.transpose());
}

/// From 1 down to 1 / condition, equal ratios between neighbours.
inline Vector graded_eigenvalues(Index dimension, double condition) {
  Vector eigenvalues = Vector::Ones(dimension);
  for (Index i = 1; i < dimension; ++i) {
    eigenvalues[i] =
        std::pow(condition, -static_cast<double>(i) / static_cast<double>(dimension - 1));
  }
  return eigenvalues;
}

/// Eigenvalues between 0.1 and 3, mean standard normal.
inline Gaussian random_gaussian(Index dimension, Random& random) {
  Vector eigenvalues(dimension);
  for (double& eigenvalue : eigenvalues) eigenvalue = 0.1 + 2.9 * random.uniform();
  const Vector mean = random_normal_vector(dimension, random);
  return {mean, random_covariance(eigenvalues, random)};
}

struct GaussianPair {
  Gaussian source;
  Gaussian target;
};

struct PairSettings {
  Index dimension = 2;
  int count = 10;
  std::uint64_t seed = 0;
};

inline std::vector<GaussianPair> random_gaussian_pairs(const PairSettings& settings) {
  Random random(settings.seed);
  std::vector<GaussianPair> pairs;
  for (int i = 0; i < settings.count; ++i) {
    const Gaussian source = random_gaussian(settings.dimension, random);
    pairs.push_back({source, random_gaussian(settings.dimension, random)});
  }
  return pairs;
}

inline std::vector<Gaussian> random_gaussians(Index dimension, int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Gaussian> gaussians;
  for (int i = 0; i < count; ++i) gaussians.push_back(random_gaussian(dimension, random));
  return gaussians;
}

/// ||actual - expected||_F / ||expected||_F; the numerator alone where `expected` is 0.
template <typename Actual, typename Expected>
double relative_error(const Actual& actual, const Expected& expected) {
  const Matrix wanted = expected;
  const double norm = wanted.stableNorm();
  const double difference = (Matrix(actual) - wanted).stableNorm();
  return norm > 0.0 ? difference / norm : difference;
}

}  // namespace lbw
