// SPDX-License-Identifier: MIT
#include "report/parity_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/indexing.hpp"
#include "report/numpy_random.hpp"
#include "report/proportions.hpp"

namespace lbw {

namespace {

constexpr Index few_for_squares = 8;  // rows of a group
constexpr Index few_for_bootstrap = 20;
constexpr double infinity = std::numeric_limits<double>::infinity();

using Runs = std::vector<std::size_t>;     // places of scores among the distinct ones
using Distribution = std::vector<double>;  // the distribution function at every distinct score

/// Two groups: the difference of their distributions, its noise, and where it may be largest.
struct GroupPair {
  std::size_t a;
  std::size_t b;
  double scale;  ///< sqrt(1 / n_a + 1 / n_b)
  Distribution difference;
  std::vector<bool> above;  ///< distinct scores where the largest difference may be attained
  std::vector<bool> below;  ///< likewise the smallest
};

/// A range of differences.
struct Extremes {
  double most = -infinity;
  double least = infinity;

  void include(double value) {
    most = std::max(most, value);
    least = std::min(least, value);
  }
  [[nodiscard]] double distance(ParityKind kind) const {
    return kind == ParityKind::kuiper ? most - least : std::max(most, -least);
  }
};

std::vector<Runs> runs_of_groups(const SortedScores& scores) {
  std::vector<Runs> runs(scores.sizes.size());
  std::size_t run = 0;
  for (std::size_t i = 0; i < scores.groups.size(); ++i) {
    runs[to_size(Index{scores.groups[i]})].push_back(run);
    run += i == scores.ends[run];
  }
  return runs;
}

Distribution distribution(std::span<const std::size_t> runs, std::size_t n_runs) {
  std::vector<Index> counts(n_runs, 0);
  for (const std::size_t run : runs) ++counts[run];
  Distribution shares(n_runs);
  Index passed = 0;
  for (std::size_t i = 0; i < n_runs; ++i) {
    passed += counts[i];
    shares[i] = static_cast<double>(passed) / static_cast<double>(runs.size());
  }
  return shares;
}

double distance_between(const Distribution& a, const Distribution& b, ParityKind kind) {
  Extremes extremes;
  for (std::size_t i = 0; i < a.size(); ++i) extremes.include(a[i] - b[i]);
  return extremes.distance(kind);
}

/// Where the distance of two groups may be attained, by Smirnov's bound on the error at any
/// threshold: 2 exp(-2 x^2) = tail.
GroupPair pair_of(const std::vector<Distribution>& shares, const std::vector<Index>& sizes,
                  std::size_t a, std::size_t b, ParityKind kind, double tail) {
  GroupPair pair{
      .a = a,
      .b = b,
      .scale = std::sqrt(1.0 / static_cast<double>(sizes[a]) + 1.0 / static_cast<double>(sizes[b])),
      .difference = {},
      .above = {},
      .below = {}};
  Extremes extremes;
  for (std::size_t i = 0; i < shares[a].size(); ++i) {
    pair.difference.push_back(shares[a][i] - shares[b][i]);
    extremes.include(pair.difference.back());
  }
  const double reach = pair.scale * std::sqrt(0.5 * std::log(2.0 / tail));
  if (kind == ParityKind::ks) {
    const double largest = std::max(extremes.most, -extremes.least);
    extremes = {.most = largest, .least = -largest};
  }
  for (const double value : pair.difference) {
    pair.above.push_back(value >= extremes.most - reach);
    pair.below.push_back(value <= extremes.least + reach);
  }
  return pair;
}

/// Assigns the groups at random: the largest distance over pairs, in units of its noise.
std::vector<double> null_distances(const std::vector<Runs>& runs, std::size_t n_runs,
                                   const std::vector<GroupPair>& pairs,
                                   const ParityOptions& options, NumpyRandom& random) {
  Runs pooled;
  for (const Runs& own : runs) pooled.insert(pooled.end(), own.begin(), own.end());
  std::vector<double> largest;
  for (int replicate = 0; replicate < options.n_bootstraps; ++replicate) {
    const Runs dealt = random.permutation(pooled);
    std::vector<Distribution> shares;
    std::size_t first = 0;
    for (const Runs& own : runs) {
      shares.push_back(distribution(std::span(dealt).subspan(first, own.size()), n_runs));
      first += own.size();
    }
    double found = 0.0;
    for (const GroupPair& pair : pairs) {
      found = std::max(found,
                       distance_between(shares[pair.a], shares[pair.b], options.kind) / pair.scale);
    }
    largest.push_back(found);
  }
  return largest;
}

/// The largest error of a resampled pair where its distance may be attained, in units of its noise.
double largest_error(const GroupPair& pair, const Distribution& error_a,
                     const Distribution& error_b, ParityKind kind) {
  double up = -infinity;
  double down = -infinity;
  for (std::size_t i = 0; i < error_a.size(); ++i) {
    const double error = error_a[i] - error_b[i];
    if (pair.above[i]) up = std::max(up, error);
    if (pair.below[i]) down = std::max(down, -error);
  }
  return (kind == ParityKind::kuiper ? up + down : std::max(up, down)) / pair.scale;
}

/// Resamples within groups: the largest error where distances are attained, in the same units.
std::vector<double> largest_errors(const std::vector<Runs>& runs,
                                   const std::vector<Distribution>& shares,
                                   const std::vector<GroupPair>& pairs,
                                   const ParityOptions& options, NumpyRandom& random) {
  std::vector<double> largest;
  for (int replicate = 0; replicate < options.n_bootstraps; ++replicate) {
    std::vector<Distribution> errors;
    for (std::size_t g = 0; g < runs.size(); ++g) {
      Runs resampled(runs[g].size());
      const auto last = static_cast<std::uint32_t>(runs[g].size() - 1);
      for (std::size_t& run : resampled) run = runs[g][random.up_to(last)];
      errors.push_back(distribution(resampled, shares[g].size()));
      for (std::size_t i = 0; i < shares[g].size(); ++i) errors[g][i] -= shares[g][i];
    }
    double found = 0.0;
    for (const GroupPair& pair : pairs) {
      found = std::max(found, largest_error(pair, errors[pair.a], errors[pair.b], options.kind));
    }
    largest.push_back(found);
  }
  return largest;
}

/// The smallest value that at least this fraction of the others do not exceed.
double upper_quantile(std::vector<double> values, double fraction) {
  std::ranges::sort(values);
  const double place = std::ceil(static_cast<double>(values.size() - 1) * fraction);
  return values[static_cast<std::size_t>(place)];
}

/// Limits of a distance where the threshold is known. `inflation` is how much longer the lower arm
/// is than that of the normal approximation with the variance at the estimate, which is too small
/// where the estimate is too large.
struct PointwiseLimits {
  double least;
  double most;
  double inflation;
};

/// Limits by the largest variance that a difference of two proportions may have. The distance is
/// the largest difference of two probabilities of one interval of scores. With d = p - q, the
/// variance is at most (1 - d^2) (1 / n_a + 1 / n_b) / 4, and the limits solve
/// (distance - d)^2 = arm^2 (1 - d^2), where arm = z sqrt(1 / n_a + 1 / n_b) / 2.
PointwiseLimits widest_limits(double distance, double arm) {
  const double square = arm * arm;
  const double root = arm * std::sqrt(std::max(0.0, 1.0 + square - distance * distance));
  const double low = (distance - root) / (1.0 + square);
  const double high = (distance + root) / (1.0 + square);
  const double normal = arm * std::sqrt(std::max(0.0, 1.0 - distance * distance));
  return {low, high, normal > 0.0 ? std::max(1.0, (distance - low) / normal) : 1.0};
}

/// Newcombe (1998), method 10: the arms of the two proportions add up in squares.
PointwiseLimits newcombe_limits(const GroupPair& pair, const std::vector<Distribution>& shares,
                                const std::vector<Index>& sizes, double tail) {
  const ProportionLimits limits_a(sizes[pair.a], tail);
  const ProportionLimits limits_b(sizes[pair.b], tail);
  const bool adds = std::min(sizes[pair.a], sizes[pair.b]) < few_for_squares;
  PointwiseLimits limits{0.0, -infinity, 1.0};
  double distance = -1.0;
  for (std::size_t i = 0; i < pair.difference.size(); ++i) {
    const double p = shares[pair.a][i];
    const double q = shares[pair.b][i];
    const double difference = pair.difference[i];
    const Interval of_a = limits_a.at(p);
    const Interval of_b = limits_b.at(q);
    const double up = std::hypot(of_a.high - p, q - of_b.low);
    const double down = std::hypot(p - of_a.low, of_b.high - q);
    const double wide_up = adds ? (of_a.high - p) + (q - of_b.low) : up;
    const double wide_down = adds ? (p - of_a.low) + (of_b.high - q) : down;
    limits.most = std::max({limits.most, difference + wide_up, wide_down - difference});
    if (std::abs(difference) <= distance) continue;
    distance = std::abs(difference);
    const double arm = difference > 0.0 ? down : up;
    const double variance = p * (1.0 - p) / static_cast<double>(sizes[pair.a]) +
                            q * (1.0 - q) / static_cast<double>(sizes[pair.b]);
    limits.least = distance - arm;
    limits.inflation =
        variance > 0.0 ? std::max(1.0, arm / (normal_deviations(tail) * std::sqrt(variance))) : 1.0;
  }
  return limits;
}

}  // namespace

Interval distance_interval(const SortedScores& scores, const ParityOptions& options,
                           std::uint32_t seed) {
  const double tail = (1.0 - options.confidence) / 2.0;
  const std::size_t n_runs = scores.ends.size();
  const std::vector<Runs> runs = runs_of_groups(scores);
  std::vector<Distribution> shares;
  for (const Runs& own : runs) shares.push_back(distribution(own, n_runs));
  std::vector<GroupPair> pairs;
  for (std::size_t a = 0; a < runs.size(); ++a) {
    for (std::size_t b = a + 1; b < runs.size(); ++b) {
      pairs.push_back(pair_of(shares, scores.sizes, a, b, options.kind, tail));
    }
  }
  NumpyRandom random(seed);
  const double null_bound =
      upper_quantile(null_distances(runs, n_runs, pairs, options, random), 1.0 - tail);
  const double error_bound =
      upper_quantile(largest_errors(runs, shares, pairs, options, random), 1.0 - tail);
  Interval interval{0.0, 0.0};
  for (const GroupPair& pair : pairs) {
    const double distance = distance_between(shares[pair.a], shares[pair.b], options.kind);
    const PointwiseLimits limits =
        options.kind == ParityKind::kuiper
            ? widest_limits(distance, normal_deviations(tail) * pair.scale / 2.0)
            : newcombe_limits(pair, shares, scores.sizes, tail);
    interval.high = std::max(interval.high, limits.most);
    if (distance <= null_bound * pair.scale) continue;
    double error = error_bound * limits.inflation;
    if (std::min(scores.sizes[pair.a], scores.sizes[pair.b]) < few_for_bootstrap) {
      error = std::max(error, null_bound);
    }
    interval.low = std::max(interval.low, std::min(limits.least, distance - error * pair.scale));
  }
  interval.high = std::min(interval.high, 1.0);
  return interval;
}

}  // namespace lbw
