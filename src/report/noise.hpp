// SPDX-License-Identifier: MIT
// What sampling noise explains of the differences that a verdict judges.
//
// Two noises add up. Held-out samples differ from their distribution, which a permutation test
// knows. The map was fitted on finite samples too: it takes the fitted samples of one group onto
// those of the other, and so shifts new samples by what these differ from their distributions. The
// samples of the fit are gone when a report is made, their number is not, and it gives the size of
// that noise: as a difference of two empirical distributions of so many samples.
#pragma once

#include <lbw/report.hpp>
#include <optional>

namespace lbw {

/// Samples behind one side of a comparison.
struct SampleSizes {
  Index held_out = 1;
  Index fitted = 0;  ///< 0: the model was not fitted to samples, and has no noise
};

/// How many standard deviations a comparison may be off by noise. All comparisons of a report on a
/// map without fault exceed their limits with a probability of 5 % at most (Bonferroni): one half
/// of it is for the separations of all pairs of groups, by two classifiers, the other for all other
/// comparisons.
struct CriticalDeviations {
  double separation = 0.0;
  double other = 0.0;
};

[[nodiscard]] CriticalDeviations critical_deviations(Index n_groups);

/// Variance that the noise of the fit adds, as a multiple of that of the held-out samples:
/// (1/N1 + 1/N2) / (1/n1 + 1/n2), where N are the samples of the fits and n those held out.
[[nodiscard]] double fit_noise_ratio(const SampleSizes& first, const SampleSizes& second);

/// The largest sliced distance that noise explains; none without permutations.
///
/// The squared distance is a sum of squares of nearly normal variables, whose variances the noise
/// of the fit multiplies by 1 + ratio at most. It is taken for a multiple of a chi-squared variable
/// with the mean and deviation of the permutations.
[[nodiscard]] std::optional<double> sliced_limit(const PermutationNull& null, double noise_ratio,
                                                 double deviations);

/// The largest AUC that noise explains.
///
/// The classifier learns from one half of the points what it predicts in the other. The noise of
/// held-out samples is independent in the two; that of the fit is in both, so it does not only
/// widen the null distribution but moves its mean. With K neighbourhoods in which the densities may
/// differ (points of a half over neighbours, less one), of which a fit of p parameters moves no
/// more than p, and r half the ratio of variances, the excess over 0.5 has, in deviations of the
/// permutations, a mean of r min(p, K) / sqrt(K) and a variance of 1 + 2 r + 2 r^2 min(p, K) / K.
///
/// @param n_parameters  of the fit; as many as there may be where quantiles were fitted
[[nodiscard]] double auc_limit(const Separation& measured, const SampleSizes& first,
                               const SampleSizes& second, double n_parameters, double deviations);

/// The largest 1/2 sum_i |difference of the weights i| that noise explains of weights that are
/// equal but for the draw of the samples of the fits.
[[nodiscard]] double misplaced_mass_limit(const Vector& first, const Vector& second, Index n_first,
                                          Index n_second, double deviations);

}  // namespace lbw
