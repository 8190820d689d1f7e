// SPDX-License-Identifier: MIT
// Expectation maximization from a start, on samples or on anything else that has moment sums.
#pragma once

#include <functional>
#include <lbw/fit_mixture.hpp>
#include <limits>
#include <optional>

#include "device/tables.hpp"
#include "mixture/regularization.hpp"
#include "mixture/start.hpp"

namespace lbw {

/// The moment sums of all samples of a fit under a mixture.
using SumsOf = std::function<MomentSums(const Mixture&)>;

/// The sums of samples in memory.
/// @param samples, options  must outlive the result
[[nodiscard]] SumsOf sums_over(const WeightedSamples& samples, const MixtureOptions& options);

/// Calls on_iteration of the options.
void report_step(const MixtureOptions& options, const FitStage& stage, const MixtureFit& fit);

/// Decides when EM has converged: once a step changes the likelihood by less than the tolerance.
///
/// Random responsibilities give nearly equal components, a saddle point of the likelihood. EM
/// leaves it by growing steps. A small step therefore counts only after the likelihood has risen,
/// and not while steps grow, unless the step is negligible.
class StoppingRule {
 public:
  StoppingRule(double tolerance, bool at_saddle) : tolerance_(tolerance), at_saddle_(at_saddle) {}

  /// @param comparable  false for the first likelihood, and after a component was moved
  bool converged(double likelihood, bool comparable);

 private:
  double tolerance_;
  bool at_saddle_;
  std::optional<double> first_;
  double previous_ = 0.0;
  double last_change_ = std::numeric_limits<double>::infinity();
};

/// EM that can be paused after a few steps and continued later.
///
/// A step that moves an empty or collapsed component may lower the likelihood, and later steps may
/// not make up for it. The run then returns to the mixture before such a step and moves no more
/// components, so its last mixture is the best one.
class EmRun {
 public:
  EmRun(Mixture start, const MixtureOptions& options, const FitStage& stage);

  /// Takes steps until max_iterations in total, or until EM converges.
  void advance(const SumsOf& sums_of, const MixtureOptions& options,
               const Regularization& regularization, int max_iterations);

  /// Replaces the sums of a paused run by others of the same mixture, such as more accurate ones.
  /// At least one more step is then needed to converge.
  void evaluate_again(const SumsOf& sums_of);

  [[nodiscard]] double mean_log_likelihood() const { return now_.fit.mean_log_likelihood; }
  /// Whether EM converged and the likelihood rose only little.
  [[nodiscard]] bool started_well() const;
  [[nodiscard]] MixtureFit take() && { return std::move(now_.fit); }

 private:
  struct State {
    StoppingRule rule;
    MixtureFit fit = {};
    MomentSums sums = {};  ///< under the mixture of the fit
  };

  [[nodiscard]] bool may_move(const MixtureOptions& options) const;
  void take_step(const SumsOf& sums_of, const MixtureOptions& options,
                 const Regularization& regularization);
  /// Computes the sums and the likelihood.
  void find_sums(const SumsOf& sums_of);
  /// @param comparable  whether there is a previous likelihood to compare with
  void evaluate(const SumsOf& sums_of, const MixtureOptions& options, bool comparable);
  /// Returns to the best mixture before a component was moved, if it is better than the current
  /// one. Returns whether it was.
  bool go_back();

  FitStage stage_;
  State now_;
  std::optional<State> before_move_;  ///< the best one
  bool went_back_ = false;
};

[[nodiscard]] MixtureFit expectation_maximization(const SumsOf& sums_of, Mixture start,
                                                  const MixtureOptions& options,
                                                  const Regularization& regularization,
                                                  const FitStage& stage);

}  // namespace lbw
