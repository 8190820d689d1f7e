// SPDX-License-Identifier: MIT
#include "mixture/fit_stages.hpp"

#include <algorithm>

#include "core/message.hpp"
#include "device/device.hpp"
#include "mixture/best_start.hpp"
#include "mixture/covariances.hpp"

namespace lbw {

namespace {

/// Steps on a subsample are cheap. They continue until they change the likelihood by less than
/// steps on all samples have to, which saves most of the latter.
constexpr double start_tolerance_share = 0.1;

/// A subsample is enlarged if weights are so uneven that a smaller part of the samples counts, but
/// not beyond what fits into memory.
constexpr double least_effective_share = 0.25;
constexpr double most_uneven_samples = 0x1p20;

/// Adds copies: component i is a copy of component i modulo their number, and copies share its
/// weight.
Mixture with_copies(const Mixture& mixture, Index n_components) {
  const Index n = mixture.n_components();
  const bool is_shared = layout_of(mixture.covariance_type).is_shared;
  Mixture copies = mixture;
  copies.weights.resize(n_components);
  copies.means.resize(n_components, mixture.n_features());
  for (Index i = 0; i < n_components; ++i) {
    const Index original = i % n;
    const Index n_sharing = (n_components - original - 1) / n + 1;
    copies.weights[i] = mixture.weights[original] / static_cast<double>(n_sharing);
    copies.means.row(i) = mixture.means.row(original);
    if (i >= n && !is_shared) copies.covariances.push_back(compact_covariance(mixture, original));
  }
  return copies;
}

}  // namespace

Index samples_to_start_on(Index n_samples, double effective, Index n_features,
                          const MixtureOptions& options) {
  if (options.start_samples) return *options.start_samples;
  const Index size = start_sample_size(n_samples, n_features, options.n_components);
  const double share = effective / static_cast<double>(n_samples);
  if (share >= least_effective_share) return size;
  const double enough = std::min(static_cast<double>(size) / share, most_uneven_samples);
  if (2.0 * enough > static_cast<double>(n_samples)) return n_samples;
  return std::max(size, static_cast<Index>(enough));
}

MixtureFit fit_from_subsample(const SumsOf& sums_of, Index n_samples,
                              const WeightedSamples& subsample, const MixtureOptions& options,
                              const WholeSample& whole) {
  MixtureOptions start_options = options;
  start_options.tolerance *= start_tolerance_share;
  start_options.precision = precision_of_start(options, subsample.samples.n_samples());
  const KeptSamples start(subsample, options.execution);
  const MixtureFit rough = best_rough_fit(n_samples, start.view(), start_options, whole);
  MixtureFit fit =
      expectation_maximization(sums_of, rough.mixture, options, whole.regularization, {});
  fit.start_iterations = rough.iterations;
  fit.replaced_components += rough.replaced_components;
  return fit;
}

MixtureFit fit_with_copies(const MixtureOptions& options, Index n_distinct,
                           const std::function<MixtureFit(const MixtureOptions&)>& fit) {
  if (options.covariance_floor + options.relative_covariance_floor == 0.0 &&
      options.shrinkage.is_none()) {
    throw NumericalError(message("fit_mixture: samples has ", counted(n_distinct, "distinct point"),
                                 ", fewer than n_components = ", options.n_components,
                                 ", and their covariances are singular without a floor; increase "
                                 "covariance_floor or reduce n_components"));
  }
  MixtureOptions fewer = options;
  fewer.n_components = static_cast<int>(n_distinct);
  MixtureFit result = fit(fewer);
  result.mixture = with_copies(result.mixture, options.n_components);
  result.copied_components = options.n_components - fewer.n_components;
  return result;
}

}  // namespace lbw
