// SPDX-License-Identifier: MIT
#include "device/pass_sums.hpp"

#include <lbw/moment_sums.hpp>

namespace lbw {

namespace {

/// Raw second moments of one component: both triangles, or a column of squares.
Matrix second_moments(const RowMatrix& moments, Index component, Index n_features, bool diagonal) {
  Index term = 1 + n_features;
  Matrix second(n_features, diagonal ? 1 : n_features);
  for (Index row = 0; row < n_features; ++row) {
    if (diagonal) {
      second(row, 0) = moments(component, term++);
      continue;
    }
    for (Index column = 0; column <= row; ++column) {
      second(row, column) = second(column, row) = moments(component, term++);
    }
  }
  return second;
}

/// Sum of w r (x - c)(x - c)^T from the sums about another point: with s = c minus that point,
/// sum x x^T - s f^T - f s^T - W s s^T, where f is the first moment about c.
Matrix shifted_second(Matrix second, const Vector& first, const Vector& shift, double weight) {
  if (shift.isZero(0.0)) return second;
  if (second.cols() == 1) {
    const auto squares = 2.0 * shift.array() * first.array() + weight * shift.array().square();
    return second - squares.matrix();
  }
  // the sum of a matrix and its transpose is exactly symmetric, other orders round differently
  const Matrix half = shift * (first + 0.5 * weight * shift).transpose();
  second -= half + half.transpose();
  return second;
}

void add_second(const Matrix& second, Index component, MomentSums& sums) {
  const CovarianceLayout& layout = layout_of(sums.covariance_type);
  Matrix& own = sums.second[static_cast<std::size_t>(layout.position(component))];
  if (layout.is_spherical()) {
    own(0, 0) = second.sum();
  } else if (layout.is_shared) {
    own += second;
  } else {
    own = second;
  }
}

}  // namespace

PassSums& PassSums::operator+=(const PassSums& other) {
  moments += other.moments;
  n_samples += other.n_samples;
  weight += other.weight;
  log_likelihood += other.log_likelihood;
  if (other.worst_log_density < worst_log_density) {
    worst_log_density = other.worst_log_density;
    worst_sample = other.worst_sample;
  }
  return *this;
}

template <typename T>
void PassSums::add_likelihood(const WeightedSamples& samples, Index begin, Index count,
                              const T* log_density) {
  for (Index i = 0; i < count; ++i) {
    const double sample_weight = samples.weight(begin + i);
    if (sample_weight == 0.0) continue;
    const auto density = static_cast<double>(log_density[i]);
    ++n_samples;
    weight += sample_weight;
    log_likelihood += sample_weight * density;
    if (density < worst_log_density) {
      worst_log_density = density;
      worst_sample = begin + i;
    }
  }
}

template void PassSums::add_likelihood(const WeightedSamples&, Index, Index, const double*);
template void PassSums::add_likelihood(const WeightedSamples&, Index, Index, const float*);

MomentSums moment_sums_of(const PassSums& pass, const RowMatrix& centers,
                          CovarianceType covariance_type, const RowMatrix& origins,
                          SampleView samples) {
  const Index d = centers.cols();
  const bool diagonal = !layout_of(covariance_type).has_matrices();
  MomentSums sums = MomentSums::about(centers, covariance_type);
  sums.n_samples = pass.n_samples;
  sums.weight = pass.weight;
  sums.log_likelihood = pass.log_likelihood;
  sums.worst_log_density = pass.worst_log_density;
  if (pass.n_samples > 0) sums.worst_sample = samples.row(pass.worst_sample);
  for (Index k = 0; k < centers.rows(); ++k) {
    const double weight = pass.moments(k, 0);
    const Vector shift = (centers.row(k) - origins.row(origins.rows() == 1 ? 0 : k)).transpose();
    const Vector first = pass.moments.row(k).segment(1, d).transpose() - weight * shift;
    sums.component_weight[k] = weight;
    sums.first.row(k) = first.transpose();
    add_second(shifted_second(second_moments(pass.moments, k, d, diagonal), first, shift, weight),
               k, sums);
  }
  return sums;
}

}  // namespace lbw
