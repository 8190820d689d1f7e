// SPDX-License-Identifier: MIT
#include "mixture/sample_spread.hpp"

#include <algorithm>

#include "core/sample_pass.hpp"
#include "device/device.hpp"
#include "mixture/covariances.hpp"

namespace lbw {

namespace {

SampleSpread spread_of(const MomentSums& sums, const Vector& middle, CovarianceType type) {
  const Vector shift = sums.first.row(0).transpose() / sums.weight;
  return {middle + shift, centered_covariance(sums.second.front() / sums.weight, shift, type)};
}

/// Whether a shift is so many deviations long that a variance about its end has lost digits.
bool is_far(const Vector& shift, const Matrix& covariance, CovarianceType type) {
  constexpr double most_squared_deviations = 1e3;
  const bool spherical = layout_of(type).is_spherical();
  const Vector squares =
      spherical ? Vector(Vector::Constant(1, shift.cwiseAbs2().mean())) : shift.cwiseAbs2();
  return (squares.array() > most_squared_deviations * variances_of(covariance, type).array()).any();
}

}  // namespace

Vector rough_mean(const WeightedSamples& samples) {
  constexpr Index wanted = 1024;
  const Index n = samples.samples.n_samples();
  const Index step = std::max<Index>(1, n / wanted);
  // a sample without much weight may be far from all others
  Index heaviest = 0;
  for (Index i = 0; i < n; i += step) {
    if (samples.weight(i) > samples.weight(heaviest)) heaviest = i;
  }
  const Vector origin = samples.samples.row(heaviest);
  Vector sum = Vector::Zero(samples.samples.n_features());
  double weight = 0.0;
  SamplePass pass(samples.samples);
  for (Index i = 0; i < n; i += step) {
    pass.used_up_to(i);
    const double own = samples.weight(i);
    for (Index f = 0; f < sum.size(); ++f) sum[f] += own * (samples.samples(i, f) - origin[f]);
    weight += own;
  }
  return weight > 0.0 ? Vector(origin + sum / weight) : origin;
}

SampleSpread sample_spread(const std::function<MomentSums(const Vector&)>& sums_about,
                           const Vector& middle, CovarianceType type) {
  const SampleSpread spread = spread_of(sums_about(middle), middle, type);
  const bool keeps_digits = !is_far(spread.mean - middle, spread.covariance, type);
  return keeps_digits ? spread : spread_of(sums_about(spread.mean), spread.mean, type);
}

SampleSpread sample_spread(const WeightedSamples& samples, CovarianceType type,
                           const Execution& execution) {
  const auto sums_about = [&](const Vector& middle) {
    return device_of(execution).nearest_sums(samples, middle.transpose(), type, execution);
  };
  return sample_spread(sums_about, rough_mean(samples), type);
}

}  // namespace lbw
