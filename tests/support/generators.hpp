// SPDX-License-Identifier: MIT
// Reproducible random matrices and Gaussians of known shape.
#pragma once

#include <cstdint>
#include <lbw/gaussian.hpp>
#include <lbw/types.hpp>
#include <vector>

namespace lbw {

[[nodiscard]] Matrix random_normal_matrix(Index rows, Index columns, Random& random);

[[nodiscard]] RowMatrix normal_rows(Index rows, Index columns, std::uint64_t seed);

[[nodiscard]] Vector random_normal_vector(Index size, Random& random);

/// Orthogonal, possibly with a reflection.
[[nodiscard]] Matrix random_rotation(Index dimension, Random& random);

/// Exactly symmetric, with these eigenvalues (up to rounding) in random directions.
[[nodiscard]] Matrix random_covariance(const Vector& eigenvalues, Random& random);

/// From 1 down to 1 / condition in a geometric sequence.
[[nodiscard]] Vector graded_eigenvalues(Index dimension, double condition);

/// Eigenvalues between 0.1 and 3, mean standard normal.
[[nodiscard]] Gaussian random_gaussian(Index dimension, Random& random);

struct GaussianPair {
  Gaussian source;
  Gaussian target;
};

struct PairSettings {
  Index dimension = 2;
  int count = 10;
  std::uint64_t seed = 0;
};

[[nodiscard]] std::vector<GaussianPair> random_gaussian_pairs(const PairSettings& settings);

[[nodiscard]] std::vector<Gaussian> random_gaussians(Index dimension, int count,
                                                     std::uint64_t seed);

/// ||actual - expected||_F / ||expected||_F; only the numerator if `expected` is 0.
template <typename Actual, typename Expected>
double relative_error(const Actual& actual, const Expected& expected) {
  const Matrix wanted = expected;
  const double norm = wanted.stableNorm();
  const double difference = (Matrix(actual) - wanted).stableNorm();
  return norm > 0.0 ? difference / norm : difference;
}

}  // namespace lbw
