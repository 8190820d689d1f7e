// SPDX-License-Identifier: MIT
#include "mixture/kmeans.hpp"

#include <cmath>
#include <limits>

#include "core/indexing.hpp"
#include "core/sample_pass.hpp"
#include "device/device.hpp"
#include "mixture/sample_spread.hpp"

namespace lbw {

namespace {

constexpr int lloyd_steps = 300;
constexpr double lloyd_tolerance = 1e-4;

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

/// Samples drawn in proportion to weight * distance, as rows; none if all distances are 0.
RowMatrix drawn_samples(const WeightedSamples& samples, const Vector& distances, Index count,
                        Random& random, const Execution& execution) {
  std::vector<double> fractions(to_size(count));
  for (double& fraction : fractions) fraction = random.uniform();
  const std::vector<Index> drawn =
      device_of(execution).draws_by_distance(samples, distances, fractions);
  RowMatrix rows(std::ssize(drawn), samples.samples.n_features());
  for (Index i = 0; i < rows.rows(); ++i) {
    rows.row(i) = samples.samples.row(at(drawn, i)).transpose();
  }
  return rows;
}

/// The candidate that lowers the sum of squared distances most.
Vector best_of(const RowMatrix& candidates, const WeightedSamples& samples, const Vector& distances,
               const Execution& execution) {
  const Vector potentials =
      device_of(execution).potentials(samples, candidates, distances, execution);
  Index best = 0;
  for (Index i = 1; i < candidates.rows(); ++i) {
    if (potentials[i] < potentials[best]) best = i;
  }
  return candidates.row(best).transpose();
}

/// The means of the samples nearest to each center. The first center that has none moves to the
/// sample that is farthest from its center, others stay.
RowMatrix moved_centers(const RowMatrix& centers, const RowMatrix& sums,
                        const WeightedSamples& samples, const Execution& execution) {
  RowMatrix moved = centers;
  bool farthest_taken = false;
  for (Index i = 0; i < centers.rows(); ++i) {
    if (sums(i, 0) > 0.0) {
      moved.row(i) += sums.row(i).tail(centers.cols()) / sums(i, 0);
    } else if (!farthest_taken) {
      moved.row(i) = device_of(execution)
                         .nearest_sums(samples, centers, CovarianceType::spherical, execution)
                         .worst_sample.transpose();
      farthest_taken = true;
    }
  }
  return moved;
}

}  // namespace

RowMatrix kmeans_plusplus(const WeightedSamples& samples, Index n_centers, Random& random,
                          const Execution& execution) {
  const auto n_candidates = 2 + static_cast<Index>(std::log(static_cast<double>(n_centers)));
  RowMatrix centers(n_centers, samples.samples.n_features());
  Vector distances = Vector::Ones(samples.samples.n_samples());
  centers.row(0) = drawn_samples(samples, distances, 1, random, execution);
  distances.setConstant(std::numeric_limits<double>::infinity());
  for (Index chosen = 1; chosen < n_centers; ++chosen) {
    device_of(execution).lower_distances(samples, centers.row(chosen - 1).transpose(), execution,
                                         distances);
    const RowMatrix candidates = drawn_samples(samples, distances, n_candidates, random, execution);
    if (candidates.rows() > 0) {
      centers.row(chosen) = best_of(candidates, samples, distances, execution).transpose();
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
  const auto nearest = device_of(execution).moving_centers(samples, execution);
  for (int step = 0; step < lloyd_steps; ++step) {
    const RowMatrix moved = moved_centers(centers, nearest->sums(centers), samples, execution);
    const double shift = (moved - centers).squaredNorm();
    centers = moved;
    if (on_step) on_step(step + 1);
    if (shift <= lloyd_tolerance * variance) break;
  }
  // one more step without rounding errors of updated sums: equal samples get exactly their value
  const MomentSums sums =
      device_of(execution).nearest_sums(samples, centers, CovarianceType::spherical, execution);
  for (Index i = 0; i < centers.rows(); ++i) {
    if (sums.component_weight[i] > 0.0) {
      centers.row(i) += sums.first.row(i) / sums.component_weight[i];
    }
  }
  return centers;
}

}  // namespace lbw
