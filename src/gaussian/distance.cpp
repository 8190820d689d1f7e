// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "gaussian/check.hpp"
#include "gaussian/unchecked.hpp"
#include "linalg/multiply.hpp"
#include "linalg/psd.hpp"

namespace lbw {

namespace {

// The covariance part of Eq. 2. With S1 = A A^T, S2 = B B^T and A^T B = U Sigma V^T,
//   tr S1 + tr S2 - 2 tr (S1^1/2 S2 S1^1/2)^1/2 = ||A - B Q||_F^2,  Q = V U^T,
// the orthogonal Procrustes problem. The left side subtracts nearly equal traces and may become
// negative; the norm cannot. Factors are scaled so that squares neither overflow nor underflow.
double covariance_distance(const Matrix& first, const Matrix& second) {
  if (first == second) return 0.0;
  const double scale = std::max(root_scale(first), root_scale(second));
  const Matrix a = psd_root(first) / scale;
  const Matrix b = psd_root(second) / scale;
  const Svd svd = svd_of_product(a, b);
  return scale * (a - b * (svd.right * svd.left.transpose())).norm();
}

void check_pair(const Gaussian& first, const Gaussian& second, const char* function) {
  check_gaussian(first, function, "first");
  check_gaussian(second, function, "second");
  require(first.mean.size() == second.mean.size(), function, ": first has ",
          counted(first.mean.size(), "feature"), " and second ", second.mean.size(),
          ", expected equal numbers");
}

}  // namespace

double squared_distance_unchecked(const Gaussian& first, const Gaussian& second) {
  const double covariance_part = covariance_distance(first.covariance, second.covariance);
  return (first.mean - second.mean).squaredNorm() + covariance_part * covariance_part;
}

double squared_distance(const Gaussian& first, const Gaussian& second) {
  check_pair(first, second, "squared_distance");
  return squared_distance_unchecked(first, second);
}

double distance(const Gaussian& first, const Gaussian& second) {
  check_pair(first, second, "distance");
  // not the root of the square, which overflows or underflows earlier
  return std::hypot((first.mean - second.mean).stableNorm(),
                    covariance_distance(first.covariance, second.covariance));
}

}  // namespace lbw
