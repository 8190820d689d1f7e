// SPDX-License-Identifier: MIT
#include "mixture/em_run.hpp"

#include <cmath>

#include "device/device.hpp"
#include "mixture/covariances.hpp"
#include "mixture/m_step.hpp"

namespace lbw {

namespace {

/// A fit that has replaced more components than this keeps lost ones in place. Otherwise, two
/// components that collapse in turn would never stop.
int replacement_budget(const MixtureOptions& options) { return 2 * options.n_components; }

/// Whether a stage starts near a saddle point.
bool starts_at_saddle(const MixtureOptions& options, const FitStage& stage) {
  return options.start == MixtureStart::random_responsibilities && stage.from_start;
}

}  // namespace

SumsOf sums_over(const WeightedSamples& samples, const MixtureOptions& options) {
  return [&samples, &options](const Mixture& mixture) {
    return device_of(options.execution)
        .moment_sums(samples, density_table(mixture), options.precision, options.execution);
  };
}

void report_step(const MixtureOptions& options, const FitStage& stage, const MixtureFit& fit) {
  if (options.on_iteration) {
    options.on_iteration({.restart = stage.restart,
                          .starting = false,
                          .subsample = stage.subsample,
                          .iteration = fit.iterations,
                          .mean_log_likelihood = fit.mean_log_likelihood});
  }
}

bool StoppingRule::converged(double likelihood, bool comparable) {
  // fraction of the tolerance below which EM at a saddle point is considered stuck
  constexpr double stationary = 1e-6;
  if (!first_) first_ = likelihood;
  const double change = std::abs(likelihood - previous_);
  const bool growing = change > last_change_;
  previous_ = likelihood;
  if (!comparable) return false;
  last_change_ = change;
  if (!at_saddle_ || change < stationary * tolerance_) return change < tolerance_;
  return change < tolerance_ && !growing && likelihood - *first_ > tolerance_;
}

EmRun::EmRun(Mixture start, const MixtureOptions& options, const FitStage& stage)
    : stage_(stage), rule_(options.tolerance, starts_at_saddle(options, stage)) {
  fit_.mixture = std::move(start);
}

void EmRun::advance(const SumsOf& sums_of, const MixtureOptions& options,
                    const Regularization& regularization, int max_iterations) {
  if (fit_.history.empty()) evaluate(sums_of, options);
  while (!fit_.converged && fit_.iterations < max_iterations) {
    const bool may_replace = fit_.replaced_components < replacement_budget(options);
    NextMixture next = m_step(fit_.mixture, sums_, regularization,
                              may_replace ? LostComponents::put_back : LostComponents::keep);
    fit_.mixture = std::move(next.mixture);
    fit_.replaced_components += next.replaced_components;
    comparable_ = next.replaced_components == 0;
    ++fit_.iterations;
    evaluate(sums_of, options);
  }
}

bool EmRun::started_well() const {
  // the maximum rise of the likelihood after the first step for a converged fit to count as well
  // started
  constexpr double rise_of_good_start = 0.02;
  return fit_.converged && fit_.history.back() - fit_.history[1] < rise_of_good_start;
}

void EmRun::evaluate(const SumsOf& sums_of, const MixtureOptions& options) {
  sums_ = sums_of(fit_.mixture);
  fit_.mean_log_likelihood = sums_.log_likelihood / sums_.weight;
  fit_.history.push_back(fit_.mean_log_likelihood);
  report_step(options, stage_, fit_);
  fit_.converged = rule_.converged(fit_.mean_log_likelihood, comparable_);
}

MixtureFit expectation_maximization(const SumsOf& sums_of, Mixture start,
                                    const MixtureOptions& options,
                                    const Regularization& regularization, const FitStage& stage) {
  EmRun run(std::move(start), options, stage);
  run.advance(sums_of, options, regularization, options.max_iterations);
  return std::move(run).take();
}

}  // namespace lbw
