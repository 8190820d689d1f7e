// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "gaussian/check.hpp"
#include "gaussian/unchecked.hpp"
#include "linalg/lane_distances.hpp"
#include "linalg/lane_maps.hpp"
#include "linalg/multiply.hpp"
#include "linalg/psd.hpp"

namespace lbw {

namespace {

// The covariance part of Eq. 2. With S1 = A A^T, S2 = B B^T and A^T B = U Sigma V^T,
//   tr S1 + tr S2 - 2 tr (S1^1/2 S2 S1^1/2)^1/2 = ||A - B Q||_F^2,  Q = V U^T,
// the orthogonal Procrustes problem. The left side subtracts nearly equal traces and may become
// negative; the norm cannot.
double covariance_distance(const Matrix& first, const Matrix& second) {
  if (first == second) return 0.0;
  const Matrix a = psd_root(first);
  const Matrix b = psd_root(second);
  const Svd svd = svd_of_product(a, b);
  return (a - b * (svd.right * svd.left.transpose())).stableNorm();
}

void check_pair(const Gaussian& first, const Gaussian& second, const char* function) {
  check_gaussian(first, function, "first");
  check_gaussian(second, function, "second");
  require(first.mean.size() == second.mean.size(), function, ": first has ",
          counted(first.mean.size(), "feature"), " and second ", second.mean.size(),
          ", expected equal numbers");
}

double checked_result(double result, const char* function) {
  if (std::isfinite(result)) return result;
  throw NumericalError(message(
      function, ": the result exceeds the range of double precision; rescale the features"));
}

}  // namespace

double squared_distance_unchecked(const Gaussian& first, const Gaussian& second) {
  const double covariance_part = covariance_distance(first.covariance, second.covariance);
  return (first.mean - second.mean).squaredNorm() + covariance_part * covariance_part;
}

// Pairs that the lanes leave out are computed one by one. A chunk of rows factors all targets,
// which is little work compared with its pairs.
RowMatrix squared_covariance_distances(std::span<const Matrix> sources,
                                       std::span<const Matrix> targets,
                                       const Execution& execution) {
  constexpr double not_computed = std::numeric_limits<double>::quiet_NaN();
  RowMatrix squares = RowMatrix::Constant(std::ssize(sources), std::ssize(targets), not_computed);
  if (squares.size() == 0) return squares;
  const Index d = sources.front().rows();
  const Chunks chunks{squares.rows(), 16};
  const double work = static_cast<double>(squares.size() * (10 * d * d * d + 100));
  for_each_chunk(chunks.count(), threads_worth(work, execution), [&](Index chunk) {
    const Index first = chunks.begin(chunk);
    const Index last = chunks.end(chunk);
    if (d >= fewest_lane_features && d <= most_lane_features) {
      lane_distances(sources, targets, first, last, squares);
    }
    for (Index i = first; i < last; ++i) {
      for (Index j = 0; j < squares.cols(); ++j) {
        const Matrix& source = at(sources, i);
        const Matrix& target = at(targets, j);
        if (source == target) squares(i, j) = 0.0;
        if (!std::isnan(squares(i, j))) continue;
        const double distance = covariance_distance(source, target);
        squares(i, j) = distance * distance;
      }
    }
  });
  return squares;
}

double squared_distance(const Gaussian& first, const Gaussian& second) {
  check_pair(first, second, "squared_distance");
  return checked_result(squared_distance_unchecked(first, second), "squared_distance");
}

double distance(const Gaussian& first, const Gaussian& second) {
  check_pair(first, second, "distance");
  // not the root of the square, which overflows or underflows earlier
  return checked_result(std::hypot((first.mean - second.mean).stableNorm(),
                                   covariance_distance(first.covariance, second.covariance)),
                        "distance");
}

}  // namespace lbw
