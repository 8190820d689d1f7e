// SPDX-License-Identifier: MIT
#include "mixture/kmeans.hpp"

#include <cmath>
#include <limits>

#include "core/sample_pass.hpp"
#include "device/device.hpp"
#include "mixture/sample_spread.hpp"

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
    device_of(execution).lower_distances(samples, centers.row(chosen - 1).transpose(), execution,
                                         distances);
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

}  // namespace lbw
