// SPDX-License-Identifier: MIT
#include "mixture/start.hpp"

#include <lbw/random.hpp>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/sample_pass.hpp"
#include "device/device.hpp"
#include "mixture/covariances.hpp"
#include "mixture/kmeans.hpp"
#include "mixture/m_step.hpp"

namespace lbw {

namespace {

std::vector<double> row_values(SampleView samples, Index sample) {
  std::vector<double> values(static_cast<std::size_t>(samples.n_features()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = samples(sample, static_cast<Index>(i)) + 0.0;  // -0 and 0 are one value
  }
  return values;
}

Vector equal_weights(Index n_components) {
  return Vector::Constant(n_components, 1.0 / static_cast<double>(n_components));
}

/// Numbers 0 to size - 1 in random order (a Fisher-Yates shuffle that is run as far as it is asked
/// for, and remembers only the places that hold another number than their own).
class RandomOrder {
 public:
  RandomOrder(Index size, Random& random)
      : size_(static_cast<std::uint64_t>(size)), random_(random) {}

  [[nodiscard]] bool at_end() const { return place_ == size_; }

  [[nodiscard]] Index next() {
    const std::uint64_t other = place_ + random_.below(size_ - place_);
    const std::uint64_t drawn = number_at(other);
    moved_[other] = number_at(place_);
    moved_.erase(place_++);
    return static_cast<Index>(drawn);
  }

 private:
  [[nodiscard]] std::uint64_t number_at(std::uint64_t place) const {
    const auto found = moved_.find(place);
    return found == moved_.end() ? place : found->second;
  }

  std::uint64_t size_;
  std::uint64_t place_ = 0;
  Random& random_;
  std::unordered_map<std::uint64_t, std::uint64_t> moved_;
};

/// Distinct samples of positive weight, each ordering equally likely.
RowMatrix random_samples(const WeightedSamples& samples, Index wanted, Random& random) {
  RowMatrix chosen(wanted, samples.samples.n_features());
  std::set<std::vector<double>> seen;
  RandomOrder order(samples.samples.n_samples(), random);
  while (!order.at_end() && std::ssize(seen) < wanted) {
    const Index drawn = order.next();
    if (samples.weight(drawn) == 0.0) continue;
    if (seen.insert(row_values(samples.samples, drawn)).second) {
      chosen.row(std::ssize(seen) - 1) = samples.samples.row(drawn).transpose();
    }
    samples.samples.release(drawn, 1);
  }
  return chosen;
}

/// Weights and means of samples that are shared out at random: of every sample, component j gets a
/// share in proportion to a uniform draw.
Mixture randomly_shared(const WeightedSamples& samples, const MixtureOptions& options,
                        const Matrix& spread, Random& random) {
  const Index k = options.n_components;
  Vector masses = Vector::Zero(k);
  RowMatrix sums = RowMatrix::Zero(k, samples.samples.n_features());
  SamplePass pass(samples.samples);
  for (Index i = 0; i < samples.samples.n_samples(); ++i) {
    Vector shares(k);
    for (double& share : shares) share = 1.0 - random.uniform();  // (0, 1]
    shares *= samples.weight(i) / shares.sum();
    masses += shares;
    sums.noalias() += shares * samples.samples.row(i).transpose();
    pass.used_up_to(i + 1);
  }
  const RowMatrix means = masses.cwiseInverse().asDiagonal() * sums;
  return with_shared_covariance(options.covariance_type, masses / masses.sum(), means, spread);
}

/// Every cluster becomes a component; one too small for a covariance takes that of all samples.
Mixture mixture_of_clusters(const WeightedSamples& samples, const RowMatrix& centers,
                            const MixtureOptions& options, const WholeSample& whole) {
  const CovarianceType type = options.covariance_type;
  const MomentSums sums = cpu_device().nearest_sums(samples, centers, type, options.execution);
  const Mixture fallback =
      with_shared_covariance(type, equal_weights(centers.rows()), centers, whole.spread);
  return m_step(fallback, sums, whole.regularization, LostComponents::keep).mixture;
}

/// One covariance for all components: theirs if they share it, else the average by weight.
Matrix pooled_covariance(const Mixture& mixture) {
  if (mixture.covariance_type == CovarianceType::tied) return mixture.covariances.front();
  Matrix pooled = mixture.weights[0] * mixture.covariances.front();
  for (Index i = 1; i < mixture.n_components(); ++i) {
    pooled += mixture.weights[i] * compact_covariance(mixture, i);
  }
  return pooled;
}

/// Components at the centers, with the weights of their clusters and the covariance within
/// clusters.
Mixture mixture_of_seeds(const WeightedSamples& samples, const RowMatrix& centers,
                         const MixtureOptions& options, const WholeSample& whole) {
  // variances alone need no products of features; matrices are pooled while they are summed
  const CovarianceType type =
      has_squares_alone(options.covariance_type) ? options.covariance_type : CovarianceType::tied;
  const MomentSums sums = cpu_device().nearest_sums(samples, centers, type, options.execution);
  const Mixture fallback =
      with_shared_covariance(type, equal_weights(centers.rows()), centers, whole.spread);
  const Mixture clusters =
      m_step(fallback, sums, whole.regularization, LostComponents::keep).mixture;
  return with_shared_covariance(options.covariance_type, clusters.weights, centers,
                                pooled_covariance(clusters));
}

}  // namespace

bool has_distinct_samples(const WeightedSamples& samples, Index wanted) {
  std::set<std::vector<double>> seen;
  SamplePass pass(samples.samples);
  for (Index i = 0; i < samples.samples.n_samples() && std::ssize(seen) < wanted; ++i) {
    if (samples.weight(i) > 0.0) seen.insert(row_values(samples.samples, i));
    pass.used_up_to(i + 1);
  }
  return std::ssize(seen) >= wanted;
}

Mixture starting_mixture(const WeightedSamples& samples, const MixtureOptions& options,
                         const WholeSample& whole, const FitStage& stage) {
  Random random(options.seed, static_cast<std::uint64_t>(stage.stream));
  const Index k = options.n_components;
  if (options.start == MixtureStart::random_points) {
    return with_shared_covariance(options.covariance_type, equal_weights(k),
                                  random_samples(samples, k, random), whole.spread);
  }
  if (options.start == MixtureStart::random_responsibilities) {
    return randomly_shared(samples, options, whole.spread, random);
  }
  const RowMatrix seeds = kmeans_plusplus(samples, k, random, options.execution);
  if (options.start == MixtureStart::kmeans_plusplus) {
    return mixture_of_seeds(samples, seeds, options, whole);
  }
  const auto report = [&](int step) {
    if (options.on_iteration)
      options.on_iteration({stage.restart, true, stage.subsample, step, 0.0});
  };
  const RowMatrix centers = lloyd(samples, seeds, options.execution, report);
  return mixture_of_clusters(samples, centers, options, whole);
}

}  // namespace lbw
