// SPDX-License-Identifier: MIT
#include "mixture/checks.hpp"

#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "mixture/shrink.hpp"

namespace lbw {

namespace {

constexpr const char* fit = "fit_mixture";

void check_options(const MixtureOptions& options) {
  require(options.n_components >= 1, fit, ": n_components is ", options.n_components,
          ", expected 1 or more");
  require(options.covariance_floor >= 0.0 && std::isfinite(options.covariance_floor), fit,
          ": covariance_floor is ", options.covariance_floor, ", expected a finite number >= 0");
  require(
      options.relative_covariance_floor >= 0.0 && std::isfinite(options.relative_covariance_floor),
      fit, ": relative_covariance_floor is ", options.relative_covariance_floor,
      ", expected a finite number >= 0");
  if (options.floor_variances) {
    for (const double variance : *options.floor_variances) {
      require(variance >= 0.0 && std::isfinite(variance), fit, ": floor_variances holds ", variance,
              ", expected finite numbers >= 0");
    }
  }
  check_shrinkage(options.shrinkage, fit);
  require(options.tolerance >= 0.0, fit, ": tolerance is ", options.tolerance,
          ", expected a number >= 0");
  require(options.max_iterations >= 0, fit, ": max_iterations is ", options.max_iterations,
          ", expected 0 or more");
  require(options.start_samples.value_or(1) >= 1, fit, ": start_samples is ",
          options.start_samples.value_or(1), ", expected 1 or more, or none for automatic");
  require(options.n_init >= 1, fit, ": n_init is ", options.n_init, ", expected 1 or more");
  check_execution(options.execution, fit);
}

void check_initial(const MixtureOptions& options, Index n_features) {
  const Mixture& initial = *options.initial;
  check_mixture(initial, fit, "initial");
  require(initial.n_components() == options.n_components, fit, ": initial has ",
          counted(initial.n_components(), "component"), ", n_components is ", options.n_components);
  require(initial.n_features() == n_features, fit, ": initial has ",
          counted(initial.n_features(), "feature"), ", the samples have ", n_features);
  require(initial.covariance_type == options.covariance_type, fit, ": initial is ",
          to_string(initial.covariance_type), ", covariance_type is ",
          to_string(options.covariance_type));
}

}  // namespace

void check_sample_weights(const WeightedSamples& samples, const char* function) {
  if (samples.weights.empty()) return;
  require(std::ssize(samples.weights) == samples.samples.n_samples(), function,
          ": sample_weights has ", counted(samples.weights.size(), "entry"), " for ",
          counted(samples.samples.n_samples(), "sample"));
  double sum = 0.0;
  for (std::size_t i = 0; i < samples.weights.size(); ++i) {
    const double weight = samples.weights[i];
    require(weight >= 0.0 && std::isfinite(weight), function, ": sample_weights[", i, "] is ",
            weight, ", expected a finite number >= 0");
    sum += weight;
  }
  require(sum > 0.0, function, ": sample_weights are all 0");
  require(std::isfinite(sum), function, ": sample_weights sum to infinity; scale them down");
}

void check_fit_arguments(const WeightedSamples& samples, const MixtureOptions& options) {
  check_options(options);
  check_samples(samples.samples, fit, "samples", options.execution);
  check_sample_weights(samples, fit);
  if (options.initial) check_initial(options, samples.samples.n_features());
  require(
      !options.floor_variances || options.floor_variances->size() == samples.samples.n_features(),
      fit, ": floor_variances has ",
      counted(options.floor_variances.value_or(Vector()).size(), "entry"), " for ",
      counted(samples.samples.n_features(), "feature"));
  if (options.initial) return;
  const auto counts = [](double weight) { return weight > 0.0; };
  const Index n_counted = samples.weights.empty() ? samples.samples.n_samples()
                                                  : std::ranges::count_if(samples.weights, counts);
  require(options.n_components <= n_counted, fit, ": n_components = ", options.n_components,
          " exceeds the number of samples (", n_counted,
          samples.weights.empty() ? "" : " of positive weight",
          "). Reduce n_components or provide more samples");
}

}  // namespace lbw
