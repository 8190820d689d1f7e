// SPDX-License-Identifier: MIT
#include "mixture/checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/message.hpp"
#include "mixture/covariances.hpp"
#include "mixture/shrink.hpp"

namespace lbw {

namespace {

constexpr const char* fitting = "fit_mixture";

void check_floor_variances(const MixtureOptions& options, Index n_features) {
  if (!options.floor_variances) return;
  for (const double variance : *options.floor_variances) {
    require(variance >= 0.0 && std::isfinite(variance), fitting, ": floor_variances contains ",
            variance, ", expected finite numbers >= 0");
  }
  require(options.floor_variances->size() == n_features, fitting, ": floor_variances has ",
          counted(options.floor_variances->size(), "entry"), " for ",
          counted(n_features, "feature"), ", expected one per feature");
}

void check_start_scales(const MixtureOptions& options, Index n_features) {
  if (!options.start_scales) return;
  for (const double scale : *options.start_scales) {
    require(scale > 0.0 && std::isfinite(scale), fitting, ": start_scales contains ", scale,
            ", expected finite numbers > 0");
  }
  require(options.start_scales->size() == n_features, fitting, ": start_scales has ",
          counted(options.start_scales->size(), "entry"), " for ", counted(n_features, "feature"),
          ", expected one per feature");
}

void check_initial(const MixtureOptions& options, Index n_features) {
  const Mixture& initial = *options.initial;
  check_mixture(initial, fitting, "initial");
  require(initial.n_components() == options.n_components, fitting, ": initial has ",
          counted(initial.n_components(), "component"), ", n_components is ", options.n_components);
  require(initial.n_features() == n_features, fitting, ": initial has ",
          counted(initial.n_features(), "feature"), ", the samples have ", n_features);
  require(initial.covariance_type == options.covariance_type, fitting, ": initial is ",
          to_string(initial.covariance_type), ", covariance_type is ",
          to_string(options.covariance_type));
}

}  // namespace

void check_each_weight(const WeightedSamples& samples, const char* function) {
  if (samples.weights.empty()) return;
  require(std::ssize(samples.weights) == samples.samples.n_samples(), function,
          ": sample_weights has ", counted(samples.weights.size(), "entry"), " for ",
          counted(samples.samples.n_samples(), "sample"), ", expected one per sample");
  for (std::size_t i = 0; i < samples.weights.size(); ++i) {
    const double weight = samples.weights[i];
    require(weight >= 0.0 && std::isfinite(weight), function, ": sample_weights[", i, "] is ",
            weight, ", expected a finite number >= 0");
  }
}

void check_block_weights(const WeightedSamples& samples, const char* function) {
  check_each_weight(samples, function);
  const double sum = std::accumulate(samples.weights.begin(), samples.weights.end(), 0.0);
  require(std::isfinite(sum), function, ": sample_weights sum to infinity; scale them down");
}

void check_finite_sums(const MomentSums& sums, const char* function) {
  const bool finite =
      std::isfinite(sums.weight) && sums.first.allFinite() &&
      std::ranges::all_of(sums.second, [](const Matrix& own) { return own.allFinite(); });
  require(finite, function,
          ": the sums of weights and squared features overflow; scale the weights down");
}

void check_range_of_sums(const MomentSums& sums, const Mixture& mixture, const char* function) {
  check_finite_sums(sums, function);
  if (sums.n_samples == 0) return;
  const double weight = sums.weight / static_cast<double>(sums.n_samples);
  double variance = std::numeric_limits<double>::infinity();
  for (const Matrix& covariance : mixture.covariances) {
    variance = std::min(variance, variances_of(covariance, mixture.covariance_type).minCoeff());
  }
  require(weight * std::min(1.0, variance) >= std::numeric_limits<double>::min(), function,
          ": the products of weights (", weight, " on average) and squared features (", variance,
          " is the least variance) underflow; scale the weights up");
}

void check_sample_weights(const WeightedSamples& samples, const char* function) {
  check_each_weight(samples, function);
  require(samples.weights.empty() || std::ranges::max(samples.weights) > 0.0, function,
          ": sample_weights are all 0, expected at least one above 0");
}

void check_fit_arguments(const WeightedSamples& samples, const MixtureOptions& options) {
  check_fit_settings(samples, options);
  check_samples(samples.samples, fitting, "samples", options.execution);
}

void check_fit_settings(const WeightedSamples& samples, const MixtureOptions& options) {
  check_options(options_of(options), fitting);
  check_execution(options.execution, fitting);
  check_shape(samples.samples, fitting, "samples");
  check_sample_weights(samples, fitting);
  const auto counts = [](double weight) { return weight > 0.0; };
  const Index n_counted = samples.weights.empty() ? samples.samples.n_samples()
                                                  : std::ranges::count_if(samples.weights, counts);
  check_fit_options(options, samples.samples.n_features(), n_counted, !samples.weights.empty());
}

void check_fit_options(const MixtureOptions& options, Index n_features, Index n_positive,
                       bool has_weights) {
  if (options.initial) check_initial(options, n_features);
  check_floor_variances(options, n_features);
  check_start_scales(options, n_features);
  if (options.initial) return;
  require(options.n_components <= n_positive, fitting, ": n_components = ", options.n_components,
          " exceeds the number of samples (", n_positive, has_weights ? " of positive weight" : "",
          "). Reduce n_components or provide more samples");
}

}  // namespace lbw
