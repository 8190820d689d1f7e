// SPDX-License-Identifier: MIT
#include <lbw/select_components.hpp>

#include "core/message.hpp"
#include "mixture/criteria.hpp"
#include "mixture/split.hpp"

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

/// From scratch and, where the fit before had fewer components, from that one with its heaviest
/// components split: the better of the two. The warm start costs about a quarter more and wins at
/// one number in six; without it the curve has bumps where k-means started badly.
MixtureFit fit_cold_and_warm(SampleView samples, MixtureOptions options, int n_components,
                             const Mixture& before) {
  options.n_components = n_components;
  options.initial.reset();
  MixtureFit cold = fit_mixture(samples, options);
  if (before.n_components() == 0 || before.n_components() >= n_components) return cold;
  Mixture grown = before;
  while (grown.n_components() < n_components) grown = split_heaviest(grown);
  options.initial = std::move(grown);
  MixtureFit warm = fit_mixture(samples, options);
  return warm.mean_log_likelihood > cold.mean_log_likelihood ? warm : cold;
}

}  // namespace

SelectionResult select_components(SampleView samples, std::span<const int> n_components,
                                  const SelectionOptions& options) {
  require(!n_components.empty(), "select_components: n_components is empty");
  SelectionResult result;
  Mixture before;
  double best = 0.0;
  for (const int k : n_components) {
    MixtureFit fit = fit_cold_and_warm(samples, options.mixture, k, before);
    before = fit.mixture;
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
