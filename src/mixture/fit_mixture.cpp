// SPDX-License-Identifier: MIT
#include <lbw/fit_mixture.hpp>

#include "device/device.hpp"
#include "mixture/best_start.hpp"
#include "mixture/checks.hpp"
#include "mixture/em_run.hpp"
#include "mixture/fit_stages.hpp"
#include "mixture/sample_spread.hpp"
#include "mixture/start.hpp"
#include "mixture/subsample.hpp"
#include "mixture/whole_sample.hpp"

namespace lbw {

MixtureFit fit_mixture(SampleView samples, const MixtureOptions& options,
                       std::span<const double> sample_weights) {
  check_fit_arguments({samples, sample_weights}, options);
  const KeptSamples kept({samples, sample_weights}, options.execution);
  const WeightedSamples& weighted = kept.view();
  if (!options.initial) {
    const Index n_distinct = n_distinct_samples(weighted, options.n_components);
    if (n_distinct < options.n_components) {
      return fit_with_copies(options, n_distinct, [&](const MixtureOptions& fewer) {
        return fit_mixture(samples, fewer, sample_weights);
      });
    }
  }
  const WholeSample whole =
      whole_sample(sample_spread(weighted, options.covariance_type, options.execution),
                   counted_samples(weighted), options);
  const SumsOf sums_of = sums_over(weighted, options);
  if (options.initial) {
    return expectation_maximization(sums_of, *options.initial, options, whole.regularization, {});
  }
  if (options.n_components == 1 && options.max_iterations > 0) {
    return single_component(whole, options);
  }
  const Index start_size = samples_to_start_on(samples.n_samples(), samples.n_features(), options);
  if (start_size >= samples.n_samples()) return best_fit(weighted, options, whole);
  const Subsample subsample(weighted, start_size, options.seed);
  if (n_distinct_samples(subsample.view(), options.n_components) < options.n_components) {
    return best_fit(weighted, options, whole);
  }
  return fit_from_subsample(sums_of, samples.n_samples(), subsample.view(), options, whole);
}

}  // namespace lbw
