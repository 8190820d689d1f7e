// SPDX-License-Identifier: MIT
#include <cmath>

#include "core/message.hpp"
#include "gaussian/check.hpp"
#include "gaussian/unchecked.hpp"
#include "linalg/psd.hpp"

namespace lbw {

namespace {

void check_affine_map(const AffineMap& map, const char* function) {
  const Index n_features = map.source_mean.size();
  require(n_features > 0 && map.matrix.rows() == n_features && map.matrix.cols() == n_features &&
              map.target_mean.size() == n_features,
          function, ": map has a source_mean of ", n_features, ", a matrix of ", map.matrix.rows(),
          " x ", map.matrix.cols(), " and a target_mean of ", map.target_mean.size(),
          ", expected one number of features in all");
  require(map.source_mean.allFinite() && map.matrix.allFinite() && map.target_mean.allFinite(),
          function, ": map holds values that are not finite, expected finite ones");
}

// Around the origin, because m + (x - m) is not x to the last bit.
AffineMap identity_map(Index n_features) {
  return {Vector::Zero(n_features), Matrix::Identity(n_features, n_features),
          Vector::Zero(n_features)};
}

}  // namespace

// Eq. 3, T = S^-1/2 (S^1/2 R S^1/2)^1/2 S^-1/2, in factors S = A A^T, R = B B^T: with the singular
// value decomposition A^T B = U Sigma V^T,
//   T = A^-T (A^T R A)^1/2 A^-1 = A^-T U Sigma U^T A^-1 = H^T H,  H = Sigma^1/2 U^T A^-1.
// Singular values of A^T B rather than eigenvalues of A^T R A, whose condition is the square.
Matrix map_matrix_unchecked(const Matrix& source_covariance, const Matrix& target_covariance) {
  const Index n_features = source_covariance.rows();
  if (source_covariance == target_covariance) return Matrix::Identity(n_features, n_features);
  const double source_scale = root_scale(source_covariance);
  const double target_scale = root_scale(target_covariance);
  const PsdFactor source = psd_factor(source_covariance / source_scale / source_scale);
  const PsdFactor target = psd_factor(target_covariance / target_scale / target_scale);
  const Svd svd = square_svd(source.factor.transpose() * target.factor);
  const Matrix half =
      svd.singular_values.cwiseSqrt().asDiagonal() * (svd.left.transpose() * source.pseudo_inverse);
  return (target_scale / source_scale) * symmetrized(half.transpose() * half);
}

AffineMap gaussian_map_unchecked(const Gaussian& source, const Gaussian& target) {
  if (source.mean == target.mean && source.covariance == target.covariance) {
    return identity_map(source.mean.size());
  }
  return {source.mean, map_matrix_unchecked(source.covariance, target.covariance), target.mean};
}

Matrix map_matrix(const Matrix& source_covariance, const Matrix& target_covariance) {
  check_covariance(source_covariance, "map_matrix", "source_covariance");
  check_covariance(target_covariance, "map_matrix", "target_covariance");
  require(source_covariance.rows() == target_covariance.rows(),
          "map_matrix: source_covariance has ", source_covariance.rows(),
          " features and target_covariance ", target_covariance.rows(), ", expected as many");
  return map_matrix_unchecked(source_covariance, target_covariance);
}

AffineMap gaussian_map(const Gaussian& source, const Gaussian& target) {
  check_gaussian(source, "gaussian_map", "source");
  check_gaussian(target, "gaussian_map", "target");
  require(source.mean.size() == target.mean.size(), "gaussian_map: source has ", source.mean.size(),
          " features and target ", target.mean.size(), ", expected as many");
  return gaussian_map_unchecked(source, target);
}

AffineMap partial_map(const AffineMap& map, double amount) {
  check_affine_map(map, "partial_map");
  require(amount >= 0.0 && amount <= 1.0, "partial_map: amount is ", amount,
          ", expected a number from 0 to 1");
  const Index n_features = map.source_mean.size();
  if (amount == 1.0) return map;
  if (amount == 0.0) return identity_map(n_features);
  const double rest = 1.0 - amount;
  return {map.source_mean, rest * Matrix::Identity(n_features, n_features) + amount * map.matrix,
          rest * map.source_mean + amount * map.target_mean};
}

}  // namespace lbw
