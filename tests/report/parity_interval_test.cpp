// SPDX-License-Identifier: MIT
#include "report/parity_interval.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace lbw {
namespace {

constexpr double normal_quantile = 1.959963984540054;  // exceeded with probability 0.025
constexpr double tail_probability = 0.025;

struct Scores {
  std::vector<double> scores;
  std::vector<int> groups;
  std::vector<Index> sizes;
};

/// Normal scores in steps of 1/4, the groups of different location and spread.
Scores scores_of(const std::vector<Index>& sizes, double shift, double spread) {
  Scores data{{}, {}, sizes};
  Random random(11);
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    const auto place = static_cast<double>(g);
    for (Index i = 0; i < sizes[g]; ++i) {
      const double score = shift * place + (1.0 + spread * place) * random.normal();
      data.scores.push_back(0.25 * std::round(4.0 * score));
      data.groups.push_back(static_cast<int>(g));
    }
  }
  return data;
}

using Distribution = std::vector<double>;  // at every distinct score

/// The distribution functions of all groups.
std::vector<Distribution> distributions_of(const Scores& data, const std::vector<double>& scores) {
  std::map<double, std::vector<double>> counts;
  for (const double score : data.scores) counts[score].resize(data.sizes.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    counts[scores[i]][static_cast<std::size_t>(data.groups[i])] += 1.0;
  }
  std::vector<Distribution> shares(data.sizes.size());
  for (std::size_t g = 0; g < shares.size(); ++g) {
    double sum = 0.0;
    for (const auto& [score, count] : counts) {
      sum += count[g];
      shares[g].push_back(sum / static_cast<double>(data.sizes[g]));
    }
  }
  return shares;
}

Distribution minus(const Distribution& a, const Distribution& b) {
  Distribution difference;
  for (std::size_t i = 0; i < a.size(); ++i) difference.push_back(a[i] - b[i]);
  return difference;
}

double distance_of(const Distribution& difference, ParityKind kind) {
  const auto [least, most] = std::ranges::minmax(difference);
  return kind == ParityKind::kuiper ? most - least : std::max(most, -least);
}

/// The standard deviation of a difference of proportions near 1/2 is half of this.
double scale_of(const Scores& data, std::size_t a, std::size_t b) {
  return std::sqrt(1.0 / static_cast<double>(data.sizes[a]) +
                   1.0 / static_cast<double>(data.sizes[b]));
}

std::vector<std::pair<std::size_t, std::size_t>> pairs_of(const Scores& data) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t b = 1; b < data.sizes.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) pairs.emplace_back(a, b);
  }
  return pairs;
}

/// The largest error of a resampled difference, among thresholds where the distance may be attained
/// by Smirnov's bound: an error of x sqrt(1 / n_a + 1 / n_b) has the probability 2 exp(-2 x^2).
double largest_error(const Distribution& difference, const Distribution& error, double scale,
                     ParityKind kind) {
  const double reach = scale * std::sqrt(std::log(2.0 / tail_probability) / 2.0);
  auto [least, most] = std::ranges::minmax(difference);
  if (kind == ParityKind::ks) {
    most = std::max(most, -least);
    least = -most;
  }
  double up = -1.0;
  double down = -1.0;
  for (std::size_t i = 0; i < error.size(); ++i) {
    if (difference[i] >= most - reach) up = std::max(up, error[i]);
    if (difference[i] <= least + reach) down = std::max(down, -error[i]);
  }
  return kind == ParityKind::kuiper ? up + down : std::max(up, down);
}

double quantile_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>((1.0 - tail_probability) *
                                         static_cast<double>(values.size()))];
}

/// What the largest distance exceeds with probability 0.025 if the groups are assigned at random,
/// in units of its scale.
double null_bound(const Scores& data, ParityKind kind, int n_repeats) {
  Random random(5);
  std::vector<double> found;
  for (int repeat = 0; repeat < n_repeats; ++repeat) {
    std::vector<double> shuffled = data.scores;
    for (std::size_t i = shuffled.size() - 1; i > 0; --i) {
      std::swap(shuffled[i], shuffled[random.below(i + 1)]);
    }
    const auto shares = distributions_of(data, shuffled);
    found.push_back(0.0);
    for (const auto& [a, b] : pairs_of(data)) {
      const double distance = distance_of(minus(shares[a], shares[b]), kind);
      found.back() = std::max(found.back(), distance / scale_of(data, a, b));
    }
  }
  return quantile_of(found);
}

/// What the error exceeds with probability 0.025 if every group is resampled, in the same units.
double error_bound(const Scores& data, ParityKind kind, int n_repeats) {
  Random random(6);
  const auto shares = distributions_of(data, data.scores);
  std::vector<double> found;
  for (int repeat = 0; repeat < n_repeats; ++repeat) {
    std::vector<double> resampled;
    Index begin = 0;
    for (const Index size : data.sizes) {
      for (Index i = 0; i < size; ++i) {
        const auto drawn = random.below(static_cast<std::uint64_t>(size));
        resampled.push_back(data.scores[static_cast<std::size_t>(begin) + drawn]);
      }
      begin += size;
    }
    const auto again = distributions_of(data, resampled);
    found.push_back(0.0);
    for (const auto& [a, b] : pairs_of(data)) {
      const Distribution difference = minus(shares[a], shares[b]);
      const Distribution error = minus(minus(again[a], again[b]), difference);
      const double scale = scale_of(data, a, b);
      found.back() = std::max(found.back(), largest_error(difference, error, scale, kind) / scale);
    }
  }
  return quantile_of(found);
}

Interval interval_of(const Scores& data, ParityKind kind, int n_bootstraps) {
  return *demographic_parity_gamma(
              data.scores, data.groups,
              {.kind = kind, .n_permutations = 0, .n_bootstraps = n_bootstraps})
              .interval;
}

// The limits d of a distance D solve (D - d)^2 = z^2 (1 - d^2) (1 / n_a + 1 / n_b) / 4.
TEST(ParityInterval, UpperEndOfKuiperUsesTheLargestVarianceOfADifference) {
  for (const auto& [size_a, size_b] : {std::pair<Index, Index>{60, 60}, {50, 200}, {200, 50}}) {
    const Scores data = scores_of({size_a, size_b}, 0.5, 0.5);
    const auto shares = distributions_of(data, data.scores);
    const double distance = distance_of(minus(shares[0], shares[1]), ParityKind::kuiper);
    const double d = interval_of(data, ParityKind::kuiper, 20).high;
    const double scale = scale_of(data, 0, 1);
    EXPECT_GT(d, distance);
    EXPECT_NEAR(d - distance, normal_quantile * scale / 2.0 * std::sqrt(1.0 - d * d), 1e-12)
        << size_a;
  }
}

// Newcombe's method 10: the arms of Wilson's limits of both proportions add up in squares.
// Below 8 rows, where the root is too short, they just add up.
TEST(ParityInterval, UpperEndIsTheLargestUpperLimitOverThresholds) {
  for (const Index size : {7, 8, 60}) {
    const Scores data = scores_of({size, 150}, 0.6, 0.2);
    const auto shares = distributions_of(data, data.scores);
    double expected = 0.0;
    for (std::size_t i = 0; i < shares[0].size(); ++i) {
      for (const auto& [g, h] : {std::pair<std::size_t, std::size_t>{0, 1}, {1, 0}}) {
        const auto limits_of = [&](std::size_t group) {
          const auto passed = static_cast<Index>(
              std::lround(shares[group][i] * static_cast<double>(data.sizes[group])));
          return proportion_interval(passed, data.sizes[group], 0.95);
        };
        const double up = limits_of(g).high - shares[g][i];
        const double down = shares[h][i] - limits_of(h).low;
        expected = std::max(
            expected, shares[g][i] - shares[h][i] + (size < 8 ? up + down : std::hypot(up, down)));
      }
    }
    EXPECT_NEAR(interval_of(data, ParityKind::ks, 20).high, std::min(1.0, expected), 1e-12) << size;
    EXPECT_LT(expected, 1.0);
  }
}

// The lower arm is the error of resamples, made longer by how much the lower arm of the closed form
// is longer than that of the normal approximation.
TEST(ParityInterval, LowerEndOfKuiperIsTheDistanceWithoutTheErrorOfResamples) {
  for (const std::vector<Index>& sizes : {std::vector<Index>{70, 120}, {120, 60, 90}}) {
    const Scores data = scores_of(sizes, 0.8, 1.5);
    const auto shares = distributions_of(data, data.scores);
    const double null = null_bound(data, ParityKind::kuiper, 3000);
    const double error = error_bound(data, ParityKind::kuiper, 3000);
    double expected = 0.0;
    for (const auto& [a, b] : pairs_of(data)) {
      const double distance = distance_of(minus(shares[a], shares[b]), ParityKind::kuiper);
      const double scale = scale_of(data, a, b);
      if (distance <= null * scale) continue;
      const double arm = normal_quantile * scale / 2.0;
      const double root = arm * std::sqrt(1.0 + arm * arm - distance * distance);
      const double limit = (distance - root) / (1.0 + arm * arm);
      const double normal = arm * std::sqrt(1.0 - distance * distance);
      const double inflated = error * std::max(1.0, (distance - limit) / normal);
      expected = std::max(expected, std::min(limit, distance - inflated * scale));
    }
    EXPECT_GT(expected, 0.1);
    // the quantiles of 3000 repeats have errors of about a tenth of the scale
    EXPECT_NEAR(interval_of(data, ParityKind::kuiper, 3000).low, expected, 0.02) << sizes.size();
  }
}

TEST(ParityInterval, LowerEndIsTheDistanceWithoutTheErrorOfResamples) {
  for (const std::vector<Index>& sizes : {std::vector<Index>{70, 120}, {60, 110, 400}}) {
    const Scores data = scores_of(sizes, 0.9, 0.0);
    const auto shares = distributions_of(data, data.scores);
    const double null = null_bound(data, ParityKind::ks, 3000);
    const double error = error_bound(data, ParityKind::ks, 3000);
    double expected = 0.0;
    for (const auto& [a, b] : pairs_of(data)) {  // scores of b are higher
      const Distribution difference = minus(shares[a], shares[b]);
      const double distance = distance_of(difference, ParityKind::ks);
      const double scale = scale_of(data, a, b);
      if (distance <= null * scale) continue;
      const auto place =
          static_cast<std::size_t>(std::ranges::max_element(difference) - difference.begin());
      const auto size_a = static_cast<double>(data.sizes[a]);
      const auto size_b = static_cast<double>(data.sizes[b]);
      const double p = shares[a][place];
      const double q = shares[b][place];
      const Interval of_a = proportion_interval(std::lround(p * size_a), data.sizes[a], 0.95);
      const Interval of_b = proportion_interval(std::lround(q * size_b), data.sizes[b], 0.95);
      const double arm = std::hypot(p - of_a.low, of_b.high - q);
      const double normal =
          normal_quantile * std::sqrt(p * (1.0 - p) / size_a + q * (1.0 - q) / size_b);
      const double inflated = error * std::max(1.0, arm / normal);
      expected = std::max(expected, std::min(distance - arm, distance - inflated * scale));
    }
    EXPECT_GT(expected, 0.1);
    EXPECT_NEAR(interval_of(data, ParityKind::ks, 3000).low, expected, 0.02) << sizes.size();
  }
}

}  // namespace
}  // namespace lbw
