// SPDX-License-Identifier: MIT
#include "mixture/split.hpp"

#include <cmath>
#include <lbw/moment_sums.hpp>
#include <numbers>

#include "core/indexing.hpp"
#include "linalg/psd.hpp"

namespace lbw {

namespace {

Index heaviest_component(const Mixture& mixture) {
  Index heaviest = 0;
  for (Index i = 1; i < mixture.n_components(); ++i) {
    if (mixture.weights[i] > mixture.weights[heaviest]) heaviest = i;
  }
  return heaviest;
}

/// The direction of largest variance, scaled to its standard deviation.
Vector longest_axis(const Matrix& covariance) {
  const Matrix factor = psd_factor(covariance).factor;
  Index longest = 0;
  for (Index i = 1; i < factor.cols(); ++i) {
    if (factor.col(i).squaredNorm() > factor.col(longest).squaredNorm()) longest = i;
  }
  return factor.col(longest);
}

}  // namespace

Mixture split_heaviest(const Mixture& mixture) {
  const Index k = mixture.n_components();
  const Index cut = heaviest_component(mixture);
  // the mean of half a normal distribution of deviation s is sqrt(2/pi) s from the centre, and its
  // variance is smaller by the square of that
  const Vector shift =
      std::sqrt(2.0 / std::numbers::pi) * longest_axis(mixture.component(cut).covariance);
  Mixture grown = mixture;
  grown.weights.conservativeResize(k + 1);
  grown.weights[cut] *= 0.5;
  grown.weights[k] = grown.weights[cut];
  grown.means.conservativeResize(k + 1, Eigen::NoChange);
  grown.means.row(k) = mixture.means.row(cut) + shift.transpose();
  grown.means.row(cut) -= shift.transpose();
  const CovarianceLayout& layout = layout_of(mixture.covariance_type);
  if (layout.is_shared) return grown;
  Matrix& half = at(grown.covariances, cut);
  if (layout.has_matrices()) half -= shift * shift.transpose();
  const Matrix other_half = half;  // push_back may move what `half` refers to
  grown.covariances.push_back(other_half);
  return grown;
}

}  // namespace lbw
