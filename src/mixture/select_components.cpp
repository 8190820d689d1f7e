// SPDX-License-Identifier: MIT
#include <lbw/select_components.hpp>

#include "core/message.hpp"
#include "mixture/criteria.hpp"

namespace lbw {

namespace {

SelectionPoint point_of(const MixtureFit& fit, Index n_samples) {
  return {static_cast<int>(fit.mixture.n_components()),
          fit.mean_log_likelihood,
          aic_of(fit.mixture, fit.mean_log_likelihood, n_samples),
          bic_of(fit.mixture, fit.mean_log_likelihood, n_samples),
          fit.iterations,
          fit.converged};
}

double value_of(const SelectionPoint& point, Criterion criterion) {
  return criterion == Criterion::aic ? point.aic : point.bic;
}

}  // namespace

SelectionResult select_components(SampleView samples, std::span<const int> n_components,
                                  const SelectionOptions& options) {
  require(!n_components.empty(), "select_components: n_components is empty");
  SelectionResult result;
  double best = 0.0;
  for (const int k : n_components) {
    MixtureOptions mixture_options = options.mixture;
    mixture_options.n_components = k;
    mixture_options.initial.reset();
    MixtureFit fit = fit_mixture(samples, mixture_options);
    result.curve.push_back(point_of(fit, samples.n_samples()));
    const double value = value_of(result.curve.back(), options.criterion);
    const bool first = result.curve.size() == 1;
    if (first || value < best || (value == best && k < result.n_components)) {
      best = value;
      result.n_components = k;
      result.fit = std::move(fit);
    }
    if (options.on_point) options.on_point(result.curve.back());
  }
  return result;
}

}  // namespace lbw
