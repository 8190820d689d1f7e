// SPDX-License-Identifier: MIT
#include "mixture/em_run.hpp"

#include <cmath>
#include <utility>

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
    const DensityTable table = density_table(mixture);
    const Device& device = device_of(options.execution);
    if (options.max_iterations == 0) {  // no step needs the moments
      return device.likelihood_sums(samples, table, options.precision, options.execution);
    }
    return device.moment_sums(samples, table, options.precision, options.execution);
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
    : stage_(stage), now_{.rule = {options.tolerance, starts_at_saddle(options, stage)}} {
  now_.fit.mixture = std::move(start);
}

void EmRun::advance(const SumsOf& sums_of, const MixtureOptions& options,
                    const Regularization& regularization, int max_iterations) {
  if (now_.fit.history.empty()) evaluate(sums_of, options, false);
  do {
    while (!now_.fit.converged && now_.fit.iterations < max_iterations) {
      take_step(sums_of, options, regularization);
    }
    // a paused run may still make up for a move
  } while ((now_.fit.converged || max_iterations == options.max_iterations) && go_back());
}

bool EmRun::may_move(const MixtureOptions& options) const {
  return !went_back_ && now_.fit.replaced_components < replacement_budget(options);
}

void EmRun::take_step(const SumsOf& sums_of, const MixtureOptions& options,
                      const Regularization& regularization) {
  NextMixture next = m_step(now_.fit.mixture, now_.sums, regularization,
                            may_move(options) ? LostComponents::put_back : LostComponents::keep);
  const bool moves = next.replaced_components > 0;
  if (moves &&
      !(before_move_ && before_move_->fit.mean_log_likelihood >= now_.fit.mean_log_likelihood)) {
    before_move_ = now_;
  }
  now_.fit.mixture = std::move(next.mixture);
  now_.fit.replaced_components += next.replaced_components;
  now_.fit.unestimated_components = next.unestimated_components;
  ++now_.fit.iterations;
  evaluate(sums_of, options, !moves);
}

bool EmRun::go_back() {
  if (!before_move_ || before_move_->fit.mean_log_likelihood <= now_.fit.mean_log_likelihood) {
    return false;
  }
  now_ = *std::exchange(before_move_, std::nullopt);
  went_back_ = true;
  return true;
}

bool EmRun::started_well() const {
  // the maximum rise of the likelihood after the first step for a converged fit to count as well
  // started
  constexpr double rise_of_good_start = 0.02;
  return now_.fit.converged && now_.fit.history.back() - now_.fit.history[1] < rise_of_good_start;
}

void EmRun::evaluate_again(const SumsOf& sums_of) {
  find_sums(sums_of);
  now_.fit.history.back() = now_.fit.mean_log_likelihood;
  now_.fit.converged = now_.rule.converged(now_.fit.mean_log_likelihood, false);
}

void EmRun::find_sums(const SumsOf& sums_of) {
  now_.sums = sums_of(now_.fit.mixture);
  now_.fit.mean_log_likelihood = now_.sums.log_likelihood / now_.sums.weight;
}

void EmRun::evaluate(const SumsOf& sums_of, const MixtureOptions& options, bool comparable) {
  MixtureFit& fit = now_.fit;
  find_sums(sums_of);
  fit.history.push_back(fit.mean_log_likelihood);
  report_step(options, stage_, fit);
  fit.converged = now_.rule.converged(fit.mean_log_likelihood, comparable);
}

MixtureFit expectation_maximization(const SumsOf& sums_of, Mixture start,
                                    const MixtureOptions& options,
                                    const Regularization& regularization, const FitStage& stage) {
  EmRun run(std::move(start), options, stage);
  run.advance(sums_of, options, regularization, options.max_iterations);
  return std::move(run).take();
}

}  // namespace lbw
