// SPDX-License-Identifier: MIT
#include <lbw/fit_mixture.hpp>

#include "core/message.hpp"
#include "core/sample_count.hpp"
#include "device/device.hpp"
#include "mixture/best_start.hpp"
#include "mixture/checks.hpp"
#include "mixture/em_run.hpp"
#include "mixture/fit_stages.hpp"
#include "mixture/sample_spread.hpp"
#include "mixture/start.hpp"
#include "mixture/subsample.hpp"
#include "mixture/unchecked.hpp"
#include "mixture/weighing.hpp"
#include "mixture/whole_sample.hpp"

namespace lbw {

namespace {

Index samples_to_start_on(const WeightedSamples& given, const MixtureOptions& options) {
  const Index n = given.samples.n_samples();
  const double effective =
      given.weights.empty() ? static_cast<double>(n) : sample_count(given.weights).effective;
  return samples_to_start_on(n, effective, given.samples.n_features(), options);
}

/// Whether EM starts on a random subsample.
bool starts_on_subsample(const WeightedSamples& given, const MixtureOptions& options) {
  if (options.initial || is_single(options)) return false;
  return samples_to_start_on(given, options) < given.samples.n_samples();
}

/// Whether every sample must be finite and below 1e100, because the sums of all of them say so.
bool are_usable(const SampleSpread& spread, Index n_samples) {
  constexpr double farthest = 1e95;
  const double squares = static_cast<double>(n_samples * spread.mean.size()) *
                         spread.covariance.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  return spread.mean.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() < farthest &&
         squares < farthest * farthest;
}

/// Reads the samples once. Their values are checked only if their sums leave a doubt.
MixtureFit fit_single(SampleView samples, const MixtureOptions& options) {
  check_fit_settings({samples, {}}, options);
  const SampleSpread spread =
      sample_spread({samples, {}}, options.covariance_type, options.execution);
  if (!are_usable(spread, samples.n_samples())) {
    check_samples(samples, "fit_mixture", "samples", options.execution);
  }
  samples.check();
  return single_component(whole_sample(spread, counted_samples({samples, {}}), options), options);
}

}  // namespace

MixtureFit fit_mixture(SampleView samples, const MixtureOptions& options,
                       std::span<const double> sample_weights) {
  if (is_single(options) && sample_weights.empty()) return fit_single(samples, options);
  check_fit_arguments({samples, sample_weights}, options);
  const std::vector<Index> positive = positive_positions(sample_weights);
  // a source cannot leave out rows before it draws a subsample, and fits of both are the same
  if (positive.size() == sample_weights.size() ||
      starts_on_subsample({samples, sample_weights}, options)) {
    return fit_mixture_unchecked({samples, sample_weights}, options);
  }
  const RowMatrix rows = rows_at(samples, positive);
  const std::vector<double> weights = values_at(sample_weights, positive);
  return fit_mixture_unchecked({rows, weights}, options);
}

MixtureFit fit_mixture_unchecked(const WeightedSamples& given, const MixtureOptions& options) {
  const SampleView& samples = given.samples;
  const ScaledWeights weights(given.weights);
  const KeptSamples kept({samples, weights.values()}, options.execution);
  const WeightedSamples& weighted = kept.view();
  if (!options.initial) {
    const Index n_distinct = n_distinct_samples(weighted, options.n_components);
    if (n_distinct < options.n_components) {
      return fit_with_copies(options, n_distinct, [&](const MixtureOptions& fewer) {
        return fit_mixture_unchecked(given, fewer);
      });
    }
  }
  const WholeSample whole =
      whole_sample(sample_spread(weighted, options.covariance_type, options.execution),
                   counted_samples(given), options);
  const SumsOf sums_of = sums_over(weighted, options);
  if (options.initial) {
    return expectation_maximization(sums_of, *options.initial, options, whole.regularization, {});
  }
  if (is_single(options)) return single_component(whole, options);
  const Index start_size = samples_to_start_on(given, options);
  if (start_size >= samples.n_samples()) return best_fit(weighted, options, whole);
  const Subsample subsample(weighted, start_size, options.seed);
  if (n_distinct_samples(subsample.view(), options.n_components) < options.n_components) {
    return best_fit(weighted, options, whole);
  }
  return fit_from_subsample(sums_of, samples.n_samples(), subsample.view(), options, whole);
}

}  // namespace lbw
