// SPDX-License-Identifier: MIT
#include "mixture/start.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <lbw/types.hpp>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/indexing.hpp"
#include "core/sample_pass.hpp"
#include "device/device.hpp"
#include "linalg/multiply.hpp"
#include "mixture/covariances.hpp"
#include "mixture/kmeans.hpp"
#include "mixture/m_step.hpp"
#include "mixture/sample_spread.hpp"

namespace lbw {

namespace {

std::vector<double> row_values(SampleView samples, Index sample) {
  std::vector<double> values(to_size(samples.n_features()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = samples(sample, static_cast<Index>(i)) + 0.0;  // -0 becomes 0
  }
  return values;
}

Vector equal_weights(Index n_components) {
  return Vector::Constant(n_components, 1.0 / static_cast<double>(n_components));
}

/// The numbers 0 to size - 1 in random order: a lazy Fisher-Yates shuffle that stores only
/// displaced numbers.
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

/// Distinct samples of positive weight in uniformly random order.
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

/// Moves nearly equal means apart until half of the variance lies between them.
///
/// Equal means with a tied covariance are a degenerate saddle point of the likelihood: small
/// distances between means hardly grow from step to step, and EM would stop there. The mean and the
/// covariance of the whole mixture do not change.
void move_apart(Mixture& tied) {
  constexpr double fraction_between = 0.5;
  const auto whitened =
      compact_whitening(tied.covariances.front(), tied.covariance_type, tied.n_features());
  const Vector mean = tied.means.transpose() * tied.weights;
  const RowMatrix shifts = tied.means.rowwise() - mean.transpose();
  // tr(W^{-1} B) of the covariances within and between components bounds their ratio in any
  // direction, so W + B - scale B stays positive definite
  const double ratio =
      ((whitened->inverse_lower * shifts.transpose()).cwiseAbs2() * tied.weights).sum();
  if (!(ratio > 0.0)) return;
  const double scale = fraction_between * (1.0 + ratio) / ratio;
  tied.means = (std::sqrt(scale) * shifts).rowwise() + mean.transpose();
  tied.covariances.front() +=
      (1.0 - scale) * (shifts.transpose() * tied.weights.asDiagonal() * shifts);
}

/// Components from random responsibilities.
Mixture randomly_shared(const WeightedSamples& samples, const MixtureOptions& options,
                        const WholeSample& whole, Random& random) {
  const CovarianceType type = options.covariance_type;
  const Index k = options.n_components;
  const Vector center = sample_spread(samples, CovarianceType::spherical, options.execution).mean;
  const MomentSums sums =
      device_of(options.execution).random_sums(samples, center, k, type, random);
  const Mixture fallback =
      with_shared_covariance(type, equal_weights(k), sums.centers, whole.spread);
  Mixture start = m_step(fallback, sums, whole.regularization, LostComponents::keep).mixture;
  if (layout_of(type).is_shared) move_apart(start);
  return start;
}

/// Converts clusters to components. A cluster too small for a covariance gets that of all samples.
Mixture mixture_of_clusters(const WeightedSamples& samples, const RowMatrix& centers,
                            const MixtureOptions& options, const WholeSample& whole) {
  const CovarianceType type = options.covariance_type;
  const MomentSums sums =
      device_of(options.execution).nearest_sums(samples, centers, type, options.execution);
  const Mixture fallback =
      with_shared_covariance(type, equal_weights(centers.rows()), centers, whole.spread);
  return m_step(fallback, sums, whole.regularization, LostComponents::keep).mixture;
}

/// The mean variance of a feature.
double mean_variance(const WholeSample& whole, CovarianceType type) {
  return variances_of(whole.spread, type).mean();
}

bool has_scales(const MixtureOptions& options) {
  return options.start_scales && !layout_of(options.covariance_type).is_spherical();
}

/// Samples with every feature divided by its scale.
RowMatrix scaled_samples(SampleView samples, const Vector& scales) {
  RowMatrix scaled(samples.n_samples(), samples.n_features());
  SamplePass pass(samples);
  for (Index i = 0; i < scaled.rows(); ++i) {
    scaled.row(i) = samples.row(i).transpose().cwiseQuotient(scales.transpose());
    pass.used_up_to(i + 1);
  }
  samples.check();
  return scaled;
}

/// The least squared distance of two rows that differ, or infinity.
double least_squared_distance(const RowMatrix& rows) {
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 1; i < rows.rows(); ++i) {
    for (const double squared : (rows.topRows(i).rowwise() - rows.row(i)).rowwise().squaredNorm()) {
      if (squared > 0.0) least = std::min(least, squared);
    }
  }
  return least;
}

/// Components of equal weight at these samples. They are so narrow that the first E-step assigns
/// every sample to its nearest mean, or in equal shares to equally near ones.
Mixture narrow_components(const RowMatrix& means, const MixtureOptions& options,
                          const WholeSample& whole) {
  constexpr double widest = 1e-6;  // variance, in squared scales
  constexpr double beside_distances = 1e-4;
  constexpr double narrowest = 1e-26;  // distances of samples round to zero below
  const CovarianceType type = options.covariance_type;
  const Vector squares =
      has_scales(options)
          ? Vector(options.start_scales->cwiseAbs2())
          : Vector::Constant(variances_of(whole.spread, type).size(), mean_variance(whole, type));
  const Vector scales = squares.cwiseSqrt().replicate(means.cols() / squares.size(), 1);
  const double distance = least_squared_distance(means * scales.cwiseInverse().asDiagonal());
  const double narrowness = std::clamp(beside_distances * distance, narrowest, widest);
  const Vector variances = narrowness * squares;
  const bool squares_alone = !layout_of(type).has_matrices();
  return with_shared_covariance(type, equal_weights(means.rows()), means,
                                squares_alone ? Matrix(variances) : Matrix(variances.asDiagonal()));
}

/// Perturbs seeds slightly. Samples of few distinct values, such as one-hot columns, are equally
/// near to several seeds and would all be assigned to the first. Beside a far cluster, the
/// deviation may exceed the distances of all other seeds.
RowMatrix without_ties(RowMatrix seeds, double deviation, Random& random) {
  constexpr double of_deviation = 1e-7;
  constexpr double of_distance = 1e-3;
  const double least = std::sqrt(least_squared_distance(seeds));
  const double next_to_nothing = std::min(of_deviation * deviation, of_distance * least);
  for (double& value : seeds.reshaped<Eigen::RowMajor>()) {
    value += next_to_nothing * random.normal();
  }
  return seeds;
}

/// Shuffles seeds, so that a sample equally near to several is assigned to an arbitrary one of
/// them. The other clusters are then purer, which suits a tied covariance.
RowMatrix shuffled(const RowMatrix& seeds, Random& random) {
  RowMatrix mixed(seeds.rows(), seeds.cols());
  RandomOrder order(seeds.rows(), random);
  for (auto row : mixed.rowwise()) row = seeds.row(order.next());
  return mixed;
}

/// The means of k-means clusters, or their seeds alone if that is the start.
RowMatrix cluster_means(const WeightedSamples& samples, const MixtureOptions& options,
                        double deviation, Random& random, const std::function<void(int)>& report) {
  RowMatrix seeds = kmeans_plusplus(samples, options.n_components, random, options.execution);
  if (options.start == MixtureStart::kmeans_plusplus) return seeds;
  seeds = layout_of(options.covariance_type).is_shared
              ? shuffled(seeds, random)
              : without_ties(std::move(seeds), deviation, random);
  return lloyd(samples, std::move(seeds), options.execution, report);
}

}  // namespace

Index n_distinct_samples(const WeightedSamples& samples, Index most) {
  std::set<std::vector<double>> seen;
  SamplePass pass(samples.samples);
  for (Index i = 0; i < samples.samples.n_samples() && std::ssize(seen) < most; ++i) {
    if (samples.weight(i) > 0.0) seen.insert(row_values(samples.samples, i));
    pass.used_up_to(i + 1);
  }
  samples.samples.check();
  return std::ssize(seen);
}

Mixture starting_mixture(const WeightedSamples& samples, const MixtureOptions& options,
                         const WholeSample& whole, const FitStage& stage) {
  Random random(options.seed, static_cast<std::uint64_t>(stage.stream));
  const Index k = options.n_components;
  if (options.start == MixtureStart::random_points) {
    return narrow_components(random_samples(samples, k, random), options, whole);
  }
  if (options.start == MixtureStart::random_responsibilities) {
    return randomly_shared(samples, options, whole, random);
  }
  const auto report = [&](int step) {
    if (options.on_iteration)
      options.on_iteration({stage.restart, true, stage.subsample, step, 0.0});
  };
  if (has_scales(options)) {
    const Vector& scales = *options.start_scales;
    const RowMatrix scaled = scaled_samples(samples.samples, scales);
    const RowMatrix means = cluster_means({scaled, samples.weights}, options, 1.0, random, report);
    return narrow_components(means * scales.asDiagonal(), options, whole);
  }
  const double deviation = std::sqrt(mean_variance(whole, options.covariance_type));
  const RowMatrix means = cluster_means(samples, options, deviation, random, report);
  return options.start == MixtureStart::kmeans_plusplus
             ? narrow_components(means, options, whole)
             : mixture_of_clusters(samples, means, options, whole);
}

}  // namespace lbw
