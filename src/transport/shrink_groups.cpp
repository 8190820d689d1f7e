// SPDX-License-Identifier: MIT
#include "transport/shrink_groups.hpp"

#include <algorithm>
#include <cmath>

#include "core/indexing.hpp"
#include "core/sample_count.hpp"
#include "linalg/multiply.hpp"
#include "mixture/covariances.hpp"
#include "mixture/subsample.hpp"
#include "quantile/table_statistics.hpp"
#include "transport/fit_refinement.hpp"
#include "transport/group_source.hpp"
#include "transport/noise_fraction.hpp"
#include "transport/sliced_targets.hpp"

namespace lbw {

namespace {

/// First and second moments of a group.
struct Moments {
  Vector mean;
  Vector variances;
  Matrix correlations;  ///< empty for covariance types without correlations
};

Moments moments_of(const Mixture& mixture) {
  const bool dense = layout_of(mixture.covariance_type).has_matrices();
  const Index d = mixture.n_features();
  Moments moments;
  moments.mean = mixture.means.transpose() * mixture.weights;
  moments.variances = Vector::Zero(d);
  Matrix covariance = Matrix::Zero(dense ? d : 0, dense ? d : 0);
  for (Index i = 0; i < mixture.n_components(); ++i) {
    const Vector from_mean = mixture.means.row(i).transpose() - moments.mean;
    const Gaussian component = mixture.component(i);
    const double weight = mixture.weights[i];
    moments.variances += weight * (component.covariance.diagonal() + from_mean.cwiseAbs2());
    if (dense) covariance += weight * (component.covariance + from_mean * from_mean.transpose());
  }
  if (dense) {
    const Vector units = moments.variances.cwiseSqrt().cwiseInverse();
    moments.correlations = units.asDiagonal() * covariance * units.asDiagonal();
  }
  return moments;
}

/// The means of the groups' moments, weighted by their fractions of all samples. Correlations are
/// those of the mean covariance.
Moments pooled(std::span<const Moments> groups, std::span<const double> shares) {
  Moments pool{shares[0] * groups[0].mean, shares[0] * groups[0].variances, {}};
  for (std::size_t g = 1; g < groups.size(); ++g) {
    pool.mean += shares[g] * groups[g].mean;
    pool.variances += shares[g] * groups[g].variances;
  }
  const Index d = groups[0].correlations.rows();
  pool.correlations = Matrix::Zero(d, d);
  if (d == 0) return pool;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Vector units = (groups[g].variances.cwiseQuotient(pool.variances)).cwiseSqrt();
    pool.correlations +=
        shares[g] * (units.asDiagonal() * groups[g].correlations * units.asDiagonal());
  }
  return pool;
}

/// The kurtosis of every feature within groups, at least that of a normal distribution.
Vector kurtosis_of(std::span<const Group> groups, std::span<const Moments> moments,
                   std::span<const double> shares, std::uint64_t seed) {
  const Index d = groups.front().samples.n_features();
  Vector squares = Vector::Zero(d);
  Vector fourths = Vector::Zero(d);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const WeightedSamples all{groups[g].samples, groups[g].sample_weights};
    const Subsample some(all, std::min(all.samples.n_samples(), most_refinement_samples), seed);
    const WeightedSamples seen = some.view();
    const Vector units = moments[g].variances.cwiseSqrt().cwiseInverse();
    const double scale = seen.weights.empty() ? 1.0 : sample_count(seen.weights).scale;
    Vector square = Vector::Zero(d);
    Vector fourth = Vector::Zero(d);
    double total = 0.0;
    for (Index i = 0; i < seen.samples.n_samples(); ++i) {
      const double weight = scale * seen.weight(i);
      const Eigen::Map<const Vector> row(seen.samples.doubles() + i * seen.samples.row_stride(), d);
      const Vector from_mean = (row - moments[g].mean).cwiseProduct(units).cwiseAbs2();
      square += weight * from_mean;
      fourth += weight * from_mean.cwiseAbs2();
      total += weight;
    }
    squares += shares[g] * square / total;
    fourths += shares[g] * fourth / total;
  }
  Vector kurtosis(d);
  for (Index f = 0; f < d; ++f) {
    const double square = squares[f] * squares[f];
    kurtosis[f] = square > 0.0 ? std::max(3.0, fourths[f] / square) : 3.0;
  }
  return kurtosis;
}

/// The mass of every feature's atoms within groups, estimated from some samples.
Vector atom_masses_of(std::span<const Group> groups, std::span<const double> shares,
                      std::uint64_t seed) {
  constexpr Index enough = 4096;
  Vector masses = Vector::Zero(groups.front().samples.n_features());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const WeightedSamples all{groups[g].samples, groups[g].sample_weights};
    const Subsample some(all, std::min(all.samples.n_samples(), enough), seed);
    const SampleView seen = some.view().samples;
    const std::span<const double> weights = some.view().weights;
    std::vector<double> values(to_size(seen.n_samples()));
    const double count =
        weights.empty() ? static_cast<double>(values.size()) : sample_count(weights).count;
    for (Index f = 0; f < masses.size(); ++f) {
      for (Index i = 0; i < seen.n_samples(); ++i) at(values, i) = seen(i, f);
      masses[f] += shares[g] * atom_mass(quantile_table(values, weights), count);
    }
  }
  return masses.cwiseMin(1.0);
}

/// For every feature, the smaller of its own fraction and that of all features.
Vector fractions_of_noise(const Vector& noise, const Vector& seen, const Vector& atom_masses) {
  const double together = noise_fraction(noise.sum(), seen.sum(), static_cast<double>(noise.size()),
                                         atom_masses.maxCoeff());
  Vector fractions(noise.size());
  for (Index f = 0; f < noise.size(); ++f) {
    fractions[f] = std::min(together, noise_fraction(noise[f], seen[f], 1.0, atom_masses[f]));
  }
  return fractions;
}

double fraction_of_correlations(const Moments& group, const Moments& pool, double error,
                                double atom_mass) {
  double seen = 0.0;
  double noise = 0.0;
  for (Index j = 0; j < pool.correlations.cols(); ++j) {
    for (Index i = 0; i < j; ++i) {
      const double unexplained = 1.0 - pool.correlations(i, j) * pool.correlations(i, j);
      const double difference = group.correlations(i, j) - pool.correlations(i, j);
      seen += difference * difference;
      noise += error * unexplained * unexplained;
    }
  }
  const auto d = static_cast<double>(pool.correlations.cols());
  return d > 1.0 ? noise_fraction(noise, seen, 0.5 * d * (d - 1.0), atom_mass) : 1.0;
}

/// The fraction of each difference that is removed.
struct Fractions {
  Vector mean;
  Vector variances;
  double correlations = 0.0;
};

/// @param error  1 / n_g - 1 / N
Fractions fractions_of(const Moments& group, const Moments& pool, const Vector& kurtosis,
                       const Vector& atom_masses, double error) {
  const Index d = pool.mean.size();
  const Vector between = 0.5 * (group.variances + pool.variances);
  const Vector shift = (group.mean - pool.mean).cwiseAbs2().cwiseQuotient(between);
  const Vector spread = (group.variances - pool.variances).cwiseQuotient(between).cwiseAbs2();
  return {fractions_of_noise(Vector::Constant(d, error), shift, atom_masses),
          fractions_of_noise(error * (kurtosis.array() - 1.0).matrix(), spread, atom_masses),
          fraction_of_correlations(group, pool, error, atom_masses.maxCoeff())};
}

/// Whether moments are not sufficient to decide if groups differ. A slight map of atoms, or one
/// caused by the noise of heavy tails, would reveal equal groups.
bool needs_likeness(const Vector& kurtosis, const Vector& atom_masses) {
  return atom_masses.mean() > 0.5 || kurtosis.maxCoeff() > heavy_kurtosis;
}

/// Treats all differences of a heavy-tailed feature as noise if the groups look alike in it.
void leave_heavy_tails(const Vector& kurtosis, const std::vector<bool>& alike,
                       Fractions& fractions) {
  for (Index f = 0; f < kurtosis.size(); ++f) {
    if (!at(alike, f) || kurtosis[f] <= heavy_kurtosis) continue;
    fractions.mean[f] = 1.0;
    fractions.variances[f] = 1.0;
  }
}

/// A fraction of 1 gives exactly `second`, so groups without differences do not change.
Vector between(const Vector& first, const Vector& second, const Vector& fractions) {
  return (fractions.array() == 1.0).select(second, first + fractions.cwiseProduct(second - first));
}

Moments drawn(const Moments& group, const Moments& pool, const Fractions& fractions) {
  Moments result = group;
  result.mean = between(group.mean, pool.mean, fractions.mean);
  result.variances = between(group.variances, pool.variances, fractions.variances);
  if (fractions.correlations == 1.0) {
    result.correlations = pool.correlations;
  } else {
    result.correlations += fractions.correlations * (pool.correlations - group.correlations);
  }
  return result;
}

/// The covariance in units of the deviations that belong to these variances.
Matrix covariance_of(const Moments& moments, const Vector& variances) {
  const Vector deviations = moments.variances.cwiseQuotient(variances).cwiseSqrt();
  return deviations.asDiagonal() * moments.correlations * deviations.asDiagonal();
}

/// The matrix of the optimal map between the covariances of two moments, with every feature in
/// units of the pool's deviation: in other units it would be another map.
Matrix matrix_between(const Moments& before, const Moments& after, const Moments& pool) {
  const Vector units = pool.variances.cwiseSqrt();
  Matrix map =
      map_matrix(covariance_of(before, pool.variances), covariance_of(after, pool.variances));
  map = units.asDiagonal() * map;
  map.array().rowwise() /= units.transpose().array();  // exactly 1 on the diagonal of an identity
  return map;
}

/// Changes the moments of a mixture from `before` to `after` by an affine map.
void move_mixture(Mixture& mixture, const Moments& before, const Moments& after,
                  const Moments& pool) {
  const Index d = mixture.n_features();
  const bool one = mixture.n_components() == 1;
  const RowMatrix from_mean = mixture.means.rowwise() - before.mean.transpose();
  if (layout_of(mixture.covariance_type).has_matrices()) {
    const Matrix target = covariance_of(after, Vector::Ones(d));
    const Matrix map = one ? Matrix::Identity(d, d) : matrix_between(before, after, pool);
    mixture.means = (from_mean * map.transpose()).rowwise() + after.mean.transpose();
    for (Matrix& covariance : mixture.covariances) {
      covariance = one ? target : Matrix(map * covariance * map.transpose());
      covariance = (0.5 * (covariance + covariance.transpose())).eval();
    }
    return;
  }
  const bool spherical = layout_of(mixture.covariance_type).is_spherical();
  Vector ratios = after.variances.cwiseQuotient(before.variances);
  if (spherical) ratios.setConstant(after.variances.sum() / before.variances.sum());
  mixture.means = (from_mean * ratios.cwiseSqrt().asDiagonal()).rowwise() + after.mean.transpose();
  for (Matrix& covariance : mixture.covariances) {
    if (one && !spherical) {
      covariance = after.variances;
    } else {
      covariance.array() *= ratios.head(covariance.rows()).array();
    }
  }
}

}  // namespace

double sample_count_of(const Group& group) {
  if (group.source != nullptr && has_weights(group)) {
    const SourceSummary summary = group.source->summary();
    return std::max(summary.weight, summary.weight * summary.weight / summary.squared_weight);
  }
  return group.sample_weights.empty() ? static_cast<double>(n_rows_of(group))
                                      : sample_count(group.sample_weights).count;
}

void shrink_groups(std::vector<Mixture>& mixtures, std::span<const Group> groups,
                   const TransportOptions& options) {
  const Shrinkage& shrinkage = options.group_shrinkage;
  if (shrinkage.is_none()) return;
  std::vector<double> counts;
  std::vector<Moments> moments;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    counts.push_back(sample_count_of(groups[g]));
    moments.push_back(moments_of(mixtures[g]));
  }
  const std::vector<double> shares = shares_of_counts(counts);
  const Moments pool = pooled(moments, shares);
  const Index d = pool.mean.size();
  Vector kurtosis = Vector::Constant(d, 3.0);
  Vector atom_masses = Vector::Zero(d);
  if (shrinkage.automatic) {
    kurtosis = kurtosis_of(groups, moments, shares, options.mixture.seed);
    atom_masses = atom_masses_of(groups, shares, options.mixture.seed);
  }
  const Likeness likeness = shrinkage.automatic && needs_likeness(kurtosis, atom_masses)
                                ? likeness_of(groups, options)
                                : Likeness{false, std::vector<bool>(to_size(d), false)};
  const bool still = likeness.all;
  const double amount = still ? 1.0 : shrinkage.amount;
  const Vector fixed = Vector::Constant(d, amount);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Fractions fractions{fixed, fixed, amount};
    if (shrinkage.automatic && !still) {
      fractions =
          fractions_of(moments[g], pool, kurtosis, atom_masses, (1.0 - shares[g]) / counts[g]);
      leave_heavy_tails(kurtosis, likeness.features, fractions);
    }
    move_mixture(mixtures[g], moments[g], drawn(moments[g], pool, fractions), pool);
  }
}

}  // namespace lbw
