// SPDX-License-Identifier: MIT
// The part of differences in a verdict that sampling noise explains.
//
// There are two sources of noise. Held-out samples differ from their distribution, which a
// permutation test measures. The map was also fitted to finite samples: it maps the training
// samples of one group onto those of another and therefore shifts new samples by the differences of
// the training samples from their distributions. The report does not have the training samples but
// knows their number, which determines the size of this noise, as for the difference of two
// empirical distributions.
#pragma once

#include <lbw/report.hpp>
#include <optional>

namespace lbw {

/// The sample sizes of one side of a comparison.
struct SampleSizes {
  double held_out = 1.0;
  double fitted = 0.0;  ///< 0 if the model was not fitted to samples and has no noise
};

/// The number of standard deviations that noise explains in a comparison. For a correct map, the
/// probability that any comparison of a report exceeds its limit is at most 5 % (Bonferroni): half
/// of it for the separations of all pairs of groups by two classifiers, the other half for all
/// other comparisons.
struct CriticalDeviations {
  double separation = 0.0;
  double other = 0.0;
};

[[nodiscard]] CriticalDeviations critical_deviations(Index n_groups);

/// The variance added by the noise of the fit, as a multiple of that of the held-out samples: (1/N1
/// + 1/N2) / (1/n1 + 1/n2), with N training samples and n held-out samples.
[[nodiscard]] double fit_noise_ratio(const SampleSizes& first, const SampleSizes& second);

/// The largest sliced distance that noise explains; empty without permutations.
///
/// The squared distance is a sum of squares of nearly normal variables. The noise of the fit
/// multiplies their variances by at most 1 + ratio. It is approximated by a multiple of a
/// chi-squared variable with the mean and deviation of the permutations.
[[nodiscard]] std::optional<double> sliced_limit(const PermutationNull& null, double noise_ratio,
                                                 double deviations);

/// The largest AUC that noise explains.
///
/// The classifier learns on one half of the points and predicts the other. The noise of held-out
/// samples is independent in the two halves; that of the fit is the same in both, so it widens the
/// null distribution and also shifts its mean. Let K be the number of neighbourhoods in which the
/// densities may differ (points of a half divided by neighbours, minus one), p the number of
/// parameters of the fit, which changes at most p of them, and r half the ratio of variances. In
/// deviations of the permutations, the excess over 0.5 has a mean of r min(p, K) / sqrt(K) and a
/// variance of 1 + 2 r + 2 r^2 min(p, K) / K.
///
/// @param n_parameters  of the fit; infinite if quantiles were fitted
[[nodiscard]] double auc_limit(const Separation& measured, const SampleSizes& first,
                               const SampleSizes& second, double n_parameters, double deviations);

/// The largest 1/2 sum_i |difference of weights i| that noise explains if the true weights are
/// equal.
[[nodiscard]] double misplaced_mass_limit(const Vector& first, const Vector& second, double n_first,
                                          double n_second, double deviations);

}  // namespace lbw
