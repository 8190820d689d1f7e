// SPDX-License-Identifier: MIT
#include "report/noise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/proportions.hpp"

namespace lbw {

namespace {

constexpr double false_warnings = 0.05;  // fraction of all reports on correct maps

double inverse_of(double n_samples) { return n_samples > 0.0 ? 1.0 / n_samples : 0.0; }

/// The standard deviation of the AUC over permutations. Without permutations, a bound: that of
/// independent scores, with twice the variance because the same labels are learned and predicted in
/// both halves.
double deviation_of(const Separation& measured, double n_first, double n_second) {
  if (measured.null.n_permutations > 0) return measured.null.deviation;
  return std::sqrt((n_first + n_second + 1.0) / (6.0 * n_first * n_second));
}

/// The value that is `deviations` above the mean, for a multiple of the square root of a
/// chi-squared variable with this mean and deviation (Wilson-Hilferty approximation).
double chi_limit(double mean, double deviation, double deviations) {
  const double mean_square = mean * mean + deviation * deviation;
  if (!(mean_square > 0.0)) return 0.0;
  const double variation = deviation / mean;
  // within 5 % for one or more degrees of freedom; very many if nothing varies
  const double degrees = variation > 0.0 ? 0.2 + 0.5 / (variation * variation) : 1e12;
  const double spread = 2.0 / (9.0 * degrees);
  const double root = std::max(0.0, 1.0 - spread + deviations * std::sqrt(spread));
  return std::sqrt(mean_square) * std::pow(root, 1.5);
}

}  // namespace

CriticalDeviations critical_deviations(Index n_groups) {
  const auto s = static_cast<double>(n_groups);
  const double n_pairs = 0.5 * s * (s - 1.0);
  // per pair: distance and likelihood in both directions, and misplaced mass; per group: likelihood
  // at the barycenter and overfitting
  const double n_others = 5.0 * n_pairs + 2.0 * s;
  return {normal_deviations(0.5 * false_warnings / (2.0 * n_pairs)),
          normal_deviations(0.5 * false_warnings / n_others)};
}

double fit_noise_ratio(const SampleSizes& first, const SampleSizes& second) {
  return (inverse_of(first.fitted) + inverse_of(second.fitted)) /
         (inverse_of(first.held_out) + inverse_of(second.held_out));
}

std::optional<double> sliced_limit(const PermutationNull& null, double noise_ratio,
                                   double deviations) {
  if (null.n_permutations == 0) return std::nullopt;
  return std::sqrt(1.0 + noise_ratio) * chi_limit(null.mean, null.deviation, deviations);
}

double auc_limit(const Separation& measured, const SampleSizes& first, const SampleSizes& second,
                 double n_parameters, double deviations) {
  const double n_first = first.held_out;
  const double n_second = second.held_out;
  const double cells = 0.5 * (n_first + n_second) / std::max(1, measured.n_neighbors);
  const double free = std::max(1.0, cells - 1.0);
  const double moved = std::min(n_parameters, free);
  const double ratio = 0.5 * fit_noise_ratio(first, second);  // each half has half of the points
  const double mean = ratio * moved / std::sqrt(free);
  const double variance = 1.0 + 2.0 * ratio + 2.0 * ratio * ratio * moved / free;
  const double deviation = deviation_of(measured, n_first, n_second);
  return std::min(1.0, 0.5 + deviation * (mean + deviations * std::sqrt(variance)));
}

double misplaced_mass_limit(const Vector& first, const Vector& second, double n_first,
                            double n_second, double deviations) {
  if (n_first == 0.0 || n_second == 0.0) return 0.0;
  const double n = n_first;
  const double m = n_second;
  const Eigen::ArrayXd pooled = (n * first + m * second).array() / (n + m);
  const Eigen::ArrayXd variances = pooled * (1.0 - pooled).max(0.0) * (1.0 / n + 1.0 / m);
  constexpr double of_absolute_values = 2.0 / std::numbers::pi;  // squared mean over mean square
  const double sum = 0.5 * variances.sqrt().sum();
  // absolute differences of weights that sum to 1 are positively dependent; two are equal
  return chi_limit(std::sqrt(of_absolute_values) * sum, std::sqrt(1.0 - of_absolute_values) * sum,
                   deviations);
}

}  // namespace lbw
