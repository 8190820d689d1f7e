// SPDX-License-Identifier: MIT
#include "support/generators.hpp"

#include <Eigen/QR>
#include <cmath>

namespace lbw {

Matrix random_normal_matrix(Index rows, Index columns, Random& random) {
  Matrix matrix(rows, columns);
  for (Index row = 0; row < rows; ++row) {
    for (Index column = 0; column < columns; ++column) matrix(row, column) = random.normal();
  }
  return matrix;
}

RowMatrix normal_rows(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  return random_normal_matrix(rows, columns, random);
}

Vector random_normal_vector(Index size, Random& random) {
  return random_normal_matrix(size, 1, random);
}

Matrix random_rotation(Index dimension, Random& random) {
  const Matrix matrix = random_normal_matrix(dimension, dimension, random);
  return Eigen::HouseholderQR<Matrix>(matrix).householderQ();
}

Matrix random_covariance(const Vector& eigenvalues, Random& random) {
  const Matrix rotation = random_rotation(eigenvalues.size(), random);
  const Matrix covariance = rotation * eigenvalues.asDiagonal() * rotation.transpose();
  return 0.5 * (covariance + covariance.transpose());
}

Vector graded_eigenvalues(Index dimension, double condition) {
  Vector eigenvalues = Vector::Ones(dimension);
  for (Index i = 1; i < dimension; ++i) {
    eigenvalues[i] =
        std::pow(condition, -static_cast<double>(i) / static_cast<double>(dimension - 1));
  }
  return eigenvalues;
}

Gaussian random_gaussian(Index dimension, Random& random) {
  Vector eigenvalues(dimension);
  for (double& eigenvalue : eigenvalues) eigenvalue = 0.1 + 2.9 * random.uniform();
  const Vector mean = random_normal_vector(dimension, random);
  return {mean, random_covariance(eigenvalues, random)};
}

std::vector<GaussianPair> random_gaussian_pairs(const PairSettings& settings) {
  Random random(settings.seed);
  std::vector<GaussianPair> pairs;
  for (int i = 0; i < settings.count; ++i) {
    const Gaussian source = random_gaussian(settings.dimension, random);
    pairs.push_back({source, random_gaussian(settings.dimension, random)});
  }
  return pairs;
}

std::vector<Gaussian> random_gaussians(Index dimension, int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Gaussian> gaussians;
  for (int i = 0; i < count; ++i) gaussians.push_back(random_gaussian(dimension, random));
  return gaussians;
}

}  // namespace lbw
