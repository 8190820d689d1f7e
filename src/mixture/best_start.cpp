// SPDX-License-Identifier: MIT
#include "mixture/best_start.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "core/indexing.hpp"
#include "core/parallel.hpp"
#include "device/device.hpp"
#include "mixture/em_run.hpp"
#include "mixture/subsample.hpp"

namespace lbw {

namespace {

// Short runs: the maximum number of steps and of runs, the minimum number of samples and samples
// per product, and the ratio of all samples to those of one run.
constexpr int short_run_steps = 25;
constexpr Index most_short_runs = 12;
constexpr Index least_short_run = 2048;
constexpr Index samples_per_product = 8;
constexpr Index short_run_share = 8;

// The number of starts compared in every restart and the number of steps before the comparison.
constexpr int n_candidate_starts = 2;
constexpr int candidate_steps = 5;

/// Replaces `best` if the fit is the first or better.
void keep_better(MixtureFit fit, bool is_first, MixtureFit& best) {
  if (is_first || fit.mean_log_likelihood > best.mean_log_likelihood) best = std::move(fit);
}

/// Whether to compare two starts. Steps from random responsibilities are too small at first for a
/// comparison.
bool compares_starts(const MixtureOptions& options) {
  return options.n_components > 1 && options.max_iterations > candidate_steps &&
         options.start != MixtureStart::random_responsibilities;
}

/// A fit from the better of two starts, by the likelihood after a few steps (Biernacki, Celeux,
/// Govaert 2003), or from the first one if it is already near its maximum.
MixtureFit fit_from_best_start(const WeightedSamples& samples, const MixtureOptions& options,
                               const WholeSample& whole, FitStage stage) {
  const SumsOf sums_of = sums_over(samples, options);
  const int n = compares_starts(options) ? n_candidate_starts : 1;
  MixtureOptions start_options = options;
  if (n > 1) start_options.precision = precision_of_start(options, samples.samples.n_samples());
  const SumsOf start_sums_of = sums_over(samples, start_options);
  std::optional<EmRun> best;
  for (int candidate = 0; candidate < n && !(best && best->started_well()); ++candidate) {
    stage.stream = stage.restart * n + candidate;
    EmRun run(starting_mixture(samples, options, whole, stage), options, stage);
    run.advance(start_sums_of, options, whole.regularization,
                std::min(options.max_iterations, candidate_steps));
    if (!best || run.mean_log_likelihood() > best->mean_log_likelihood()) best = std::move(run);
  }
  if (start_options.precision != options.precision) best->evaluate_again(sums_of);
  best->advance(sums_of, options, whole.regularization, options.max_iterations);
  return std::move(*best).take();
}

}  // namespace

Precision precision_of_start(const MixtureOptions& options, Index n_samples) {
  constexpr double least_tolerance = 1e-5;           // mean likelihoods are off by about 1e-8
  constexpr Index least_densities = Index{1} << 15;  // with fewer, little time would be saved
  const bool suits =
      options.tolerance >= least_tolerance && n_samples >= least_densities / options.n_components;
  return suits ? Precision::f32 : options.precision;
}

MixtureFit best_fit(const WeightedSamples& samples, const MixtureOptions& options,
                    const WholeSample& whole) {
  MixtureFit best;
  for (int restart = 0; restart < options.n_init; ++restart) {
    keep_better(
        fit_from_best_start(samples, options, whole, {.restart = restart, .from_start = true}),
        restart == 0, best);
  }
  return best;
}

namespace {

/// The start of one restart of a large fit: the best of a few short runs on few samples (Biernacki,
/// Celeux, Govaert 2003). They cost at most two passes over all samples and are better than most
/// single starts.
Mixture best_short_run(const WeightedSamples& samples, const MixtureOptions& options,
                       const WholeSample& whole, int restart, int n_runs) {
  MixtureOptions short_options = options;
  short_options.max_iterations = std::min(options.max_iterations, short_run_steps);
  short_options.execution = on_one_thread(options.execution);  // the runs are parallel
  std::mutex one_at_a_time;
  if (options.on_iteration) {
    short_options.on_iteration = [&](const FitProgress& progress) {
      const std::lock_guard lock(one_at_a_time);
      options.on_iteration(progress);
    };
  }
  std::vector<MixtureFit> runs(to_size(n_runs));
  const KeptSamples kept(samples, options.execution);
  const SumsOf sums_of = sums_over(kept.view(), short_options);
  for_each_chunk(n_runs, options.execution, [&](Index run) {
    const int stream = restart * n_runs + static_cast<int>(run);
    const FitStage stage{
        .restart = restart, .stream = stream, .subsample = true, .from_start = true};
    Mixture start = starting_mixture(kept.view(), short_options, whole, stage);
    at(runs, run) = expectation_maximization(sums_of, std::move(start), short_options,
                                             whole.regularization, stage);
  });
  // runs that found the same optimum differ by rounding, which must not decide between them
  constexpr double rounding = 1e-9;
  std::size_t best = 0;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const double known = runs[best].mean_log_likelihood;
    if (runs[i].mean_log_likelihood > known + rounding * (1.0 + std::abs(known))) best = i;
  }
  return runs[best].mixture;
}

}  // namespace

MixtureFit best_rough_fit(Index n_samples, const WeightedSamples& subsample,
                          const MixtureOptions& options, const WholeSample& whole) {
  const Index d = subsample.samples.n_features();
  const Index short_size =
      std::max(least_short_run, samples_per_product * options.n_components * (d * d / 2 + 1));
  const Index affordable = n_samples / (short_run_share * short_size);
  const int n_runs = static_cast<int>(std::clamp<Index>(affordable, 1, most_short_runs));
  std::optional<Subsample> few;
  if (n_runs > 1 && options.max_iterations > 0 && short_size < subsample.samples.n_samples()) {
    few.emplace(subsample, short_size, options.seed);
    if (n_distinct_samples(few->view(), options.n_components) < options.n_components) few.reset();
  }
  const SumsOf sums_of = sums_over(subsample, options);
  MixtureFit best;
  for (int restart = 0; restart < options.n_init; ++restart) {
    const FitStage stage{.restart = restart, .subsample = true, .from_start = !few};
    keep_better(few ? expectation_maximization(
                          sums_of, best_short_run(few->view(), options, whole, restart, n_runs),
                          options, whole.regularization, stage)
                    : fit_from_best_start(subsample, options, whole, stage),
                restart == 0, best);
  }
  return best;
}

}  // namespace lbw
