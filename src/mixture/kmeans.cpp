// SPDX-License-Identifier: MIT
#include "mixture/kmeans.hpp"

#include <cmath>
#include <limits>

#include "core/sample_pass.hpp"
#include "device/device.hpp"
#include "mixture/covariances.hpp"

namespace lbw {

namespace {

constexpr int lloyd_steps = 300;
constexpr double lloyd_tolerance = 1e-4;

/// The first sample at which the cumulative sum of weight * distance exceeds a uniform fraction of
/// the total, or the last one with mass if rounding keeps the sum below it.
Index draw_sample(const WeightedSamples& samples, const Vector& distances, double total,
                  Random& random) {
  const double threshold = random.uniform() * total;
  double cumulative = 0.0;
  Index last_with_mass = -1;
  for (Index i = 0; i < distances.size(); ++i) {
    const double mass = samples.weight(i) * distances[i];
    if (mass <= 0.0) continue;
    cumulative += mass;
    last_with_mass = i;
    if (cumulative > threshold) return i;
  }
  return last_with_mass;
}

double total_mass(const WeightedSamples& samples, const Vector& distances) {
  double total = 0.0;
  for (Index i = 0; i < distances.size(); ++i) total += samples.weight(i) * distances[i];
  return total;
}

/// A sample of positive weight that differs from the first `n_chosen` centers. Needed if squared
/// distances of tiny data underflow to 0.
Index first_unchosen_sample(const WeightedSamples& samples, const RowMatrix& centers,
                            Index n_chosen) {
  SamplePass pass(samples.samples);
  for (Index i = 0; i < samples.samples.n_samples(); ++i) {
    pass.used_up_to(i);
    if (samples.weight(i) == 0.0) continue;
    const Vector candidate = samples.samples.row(i);
    bool chosen = false;
    for (Index c = 0; c < n_chosen && !chosen; ++c)
      chosen = centers.row(c).transpose() == candidate;
    if (!chosen) return i;
  }
  return 0;
}

/// The best of a few candidates drawn in proportion to their squared distances.
Vector next_seed(const WeightedSamples& samples, const Vector& distances, double total,
                 Index n_candidates, Random& random, const Execution& execution) {
  RowMatrix candidates(n_candidates, samples.samples.n_features());
  for (Index i = 0; i < n_candidates; ++i) {
    const Index drawn = draw_sample(samples, distances, total, random);
    candidates.row(i) = samples.samples.row(drawn).transpose();
  }
  const Vector potentials =
      device_of(execution).potentials(samples, candidates, distances, execution);
  Index best = 0;
  for (Index i = 1; i < n_candidates; ++i) {
    if (potentials[i] < potentials[best]) best = i;
  }
  return candidates.row(best).transpose();
}

/// New centers from the sums. The first empty one moves to the farthest sample, others stay.
RowMatrix moved_centers(const MomentSums& sums) {
  RowMatrix centers = sums.centers;
  bool farthest_taken = false;
  for (Index i = 0; i < centers.rows(); ++i) {
    if (sums.component_weight[i] > 0.0) {
      centers.row(i) += sums.first.row(i) / sums.component_weight[i];
    } else if (!farthest_taken) {
      centers.row(i) = sums.worst_sample.transpose();
      farthest_taken = true;
    }
  }
  return centers;
}

/// The weighted mean of about a thousand evenly spaced samples.
Vector rough_mean(const WeightedSamples& samples) {
  constexpr Index wanted = 1024;
  const Index n = samples.samples.n_samples();
  const Index step = std::max<Index>(1, n / wanted);
  const Vector origin = samples.samples.row(0);
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

SampleSpread spread_about(const Vector& middle, const WeightedSamples& samples, CovarianceType type,
                          const Execution& execution) {
  const MomentSums sums =
      device_of(execution).nearest_sums(samples, middle.transpose(), type, execution);
  const Vector shift = sums.first.row(0).transpose() / sums.weight;
  return {middle + shift, centered_covariance(sums.second.front() / sums.weight, shift, type)};
}

/// Whether a shift is so large that the variance about its end has lost digits.
bool is_far(const Vector& shift, const Matrix& covariance, CovarianceType type) {
  constexpr double most_squared_deviations = 1e3;
  const bool spherical = type == CovarianceType::spherical;
  const Vector squares =
      spherical ? Vector(Vector::Constant(1, shift.cwiseAbs2().mean())) : shift.cwiseAbs2();
  return (squares.array() > most_squared_deviations * variances_of(covariance, type).array()).any();
}

}  // namespace

RowMatrix kmeans_plusplus(const WeightedSamples& samples, Index n_centers, Random& random,
                          const Execution& execution) {
  const auto n_candidates = 2 + static_cast<Index>(std::log(static_cast<double>(n_centers)));
  RowMatrix centers(n_centers, samples.samples.n_features());
  Vector distances = Vector::Ones(samples.samples.n_samples());
  const Index first = draw_sample(samples, distances, total_mass(samples, distances), random);
  centers.row(0) = samples.samples.row(first).transpose();
  distances.setConstant(std::numeric_limits<double>::infinity());
  for (Index chosen = 1; chosen < n_centers; ++chosen) {
    device_of(execution).lower_distances(samples.samples, centers.row(chosen - 1).transpose(),
                                         execution, distances);
    const double total = total_mass(samples, distances);
    if (total > 0.0) {
      centers.row(chosen) =
          next_seed(samples, distances, total, n_candidates, random, execution).transpose();
    } else {
      centers.row(chosen) =
          samples.samples.row(first_unchosen_sample(samples, centers, chosen)).transpose();
    }
  }
  return centers;
}

RowMatrix lloyd(const WeightedSamples& samples, RowMatrix centers, const Execution& execution,
                const std::function<void(int)>& on_step) {
  const double variance =
      sample_spread(samples, CovarianceType::spherical, execution).covariance(0, 0);
  for (int step = 0; step < lloyd_steps; ++step) {
    const MomentSums sums =
        device_of(execution).nearest_sums(samples, centers, CovarianceType::spherical, execution);
    const RowMatrix moved = moved_centers(sums);
    const double shift = (moved - centers).squaredNorm();
    centers = moved;
    if (on_step) on_step(step + 1);
    if (shift <= lloyd_tolerance * variance) break;
  }
  return centers;
}

SampleSpread sample_spread(const WeightedSamples& samples, CovarianceType type,
                           const Execution& execution) {
  // about a rough mean instead of the origin, so that data far from 0 keep their digits
  const Vector rough = rough_mean(samples);
  const SampleSpread spread = spread_about(rough, samples, type, execution);
  const bool keeps_digits = !is_far(spread.mean - rough, spread.covariance, type);
  return keeps_digits ? spread : spread_about(spread.mean, samples, type, execution);
}

}  // namespace lbw
