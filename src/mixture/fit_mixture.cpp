// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <lbw/fit_mixture.hpp>
#include <limits>
#include <mutex>
#include <optional>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/sample_count.hpp"
#include "device/device.hpp"
#include "linalg/multiply.hpp"
#include "mixture/checks.hpp"
#include "mixture/covariances.hpp"
#include "mixture/m_step.hpp"
#include "mixture/sample_spread.hpp"
#include "mixture/start.hpp"
#include "mixture/subsample.hpp"

namespace lbw {

namespace {

[[noreturn]] void throw_singular(const WeightedSamples& samples, const Matrix& spread,
                                 const MixtureOptions& options) {
  const double enough = 1e-12 * variances_of(spread, options.covariance_type).maxCoeff();
  throw NumericalError(
      message("fit_mixture: the samples do not span their ",
              counted(samples.samples.n_features(), "feature"),
              " in double precision: their covariance plus the covariance_floor of ",
              options.covariance_floor,
              " is singular; drop constant or repeated features, fit clusters that are more than "
              "1e7 standard deviations apart as separate groups, or increase covariance_floor",
              enough > 0.0 ? " to " : "", enough > 0.0 ? to_text(enough) : ""));
}

double n_with_weight(const WeightedSamples& samples) {
  if (samples.weights.empty()) return static_cast<double>(samples.samples.n_samples());
  return static_cast<double>(std::count_if(samples.weights.begin(), samples.weights.end(),
                                           [](double weight) { return weight > 0.0; }));
}

/// Covariance and regularization of a fit.
/// @throws NumericalError  if the regularized covariance is singular
WholeSample whole_sample(const WeightedSamples& samples, const MixtureOptions& options) {
  const CovarianceType type = options.covariance_type;
  const auto [mean, covariance] = sample_spread(samples, type, options.execution);
  Matrix spread = covariance;
  const double n_samples = n_with_weight(samples);
  const double copies =
      samples.weights.empty() ? 1.0 : sample_count(samples.weights).count / n_samples;
  Regularization regularization{options.covariance_floor, {}, options.shrinkage, copies};
  if (options.relative_covariance_floor > 0.0) {
    regularization.relative_floor = options.relative_covariance_floor * variances_of(spread, type);
    if (options.floor_variances) {
      const Vector& given = *options.floor_variances;
      regularization.relative_floor =
          options.relative_covariance_floor *
          (layout_of(type).is_spherical() ? Vector(Vector::Constant(1, given.mean())) : given);
    }
  }
  regularize(spread, type, regularization, n_samples);
  if (!compact_whitening(spread, type, samples.samples.n_features())) {
    throw_singular(samples, spread, options);
  }
  return {std::move(spread), std::move(regularization), mean, covariance};
}

/// Steps on a subsample are cheap. They continue until they change the likelihood by less than
/// steps on all samples have to, which saves most of the latter.
constexpr double start_tolerance_share = 0.1;

// Short runs: the maximum number of steps and of runs, the minimum number of samples and samples
// per product, and the ratio of all samples to those of one run.
constexpr int short_run_steps = 25;
constexpr Index most_short_runs = 12;
constexpr Index least_short_run = 2048;
constexpr Index samples_per_product = 8;
constexpr Index short_run_share = 8;

// The number of starts compared in every restart, the number of steps before the comparison, and
// the maximum rise of the likelihood after the first step for a converged fit to count as well
// started.
constexpr int n_candidate_starts = 2;
constexpr int candidate_steps = 5;
constexpr double rise_of_good_start = 0.02;

/// A fit that has replaced more components than this keeps lost ones in place. Otherwise, two
/// components that collapse in turn would never stop.
int replacement_budget(const MixtureOptions& options) { return 2 * options.n_components; }

void report(const MixtureOptions& options, const FitStage& stage, const MixtureFit& fit) {
  if (options.on_iteration) {
    options.on_iteration({.restart = stage.restart,
                          .starting = false,
                          .subsample = stage.subsample,
                          .iteration = fit.iterations,
                          .mean_log_likelihood = fit.mean_log_likelihood});
  }
}

/// Decides when EM has converged: once a step changes the likelihood by less than the tolerance.
///
/// Random responsibilities give nearly equal components, a saddle point of the likelihood. EM
/// leaves it by growing steps. A small step therefore counts only after the likelihood has risen,
/// and not while steps grow, unless the step is negligible.
class StoppingRule {
 public:
  StoppingRule(double tolerance, bool at_saddle) : tolerance_(tolerance), at_saddle_(at_saddle) {}

  /// @param comparable  false for the first likelihood, and after a component was moved
  bool converged(double likelihood, bool comparable) {
    if (!first_) first_ = likelihood;
    const double change = std::abs(likelihood - previous_);
    const bool growing = change > last_change_;
    previous_ = likelihood;
    if (!comparable) return false;
    last_change_ = change;
    if (!at_saddle_ || change < stationary * tolerance_) return change < tolerance_;
    return change < tolerance_ && !growing && likelihood - *first_ > tolerance_;
  }

 private:
  /// Fraction of the tolerance below which EM at a saddle point is considered stuck.
  static constexpr double stationary = 1e-6;

  double tolerance_;
  bool at_saddle_;
  std::optional<double> first_;
  double previous_ = 0.0;
  double last_change_ = std::numeric_limits<double>::infinity();
};

/// Whether a stage starts near a saddle point.
bool starts_at_saddle(const MixtureOptions& options, const FitStage& stage) {
  return options.start == MixtureStart::random_responsibilities && stage.from_start;
}

/// EM that can be paused after a few steps and continued later.
class EmRun {
 public:
  EmRun(Mixture start, const MixtureOptions& options, const FitStage& stage)
      : stage_(stage), rule_(options.tolerance, starts_at_saddle(options, stage)) {
    fit_.mixture = std::move(start);
  }

  /// Takes steps until max_iterations in total, or until EM converges.
  void advance(const WeightedSamples& samples, const MixtureOptions& options,
               const Regularization& regularization, int max_iterations) {
    if (fit_.history.empty()) evaluate(samples, options);
    while (!fit_.converged && fit_.iterations < max_iterations) {
      const bool may_replace = fit_.replaced_components < replacement_budget(options);
      NextMixture next = m_step(fit_.mixture, sums_, regularization,
                                may_replace ? LostComponents::put_back : LostComponents::keep);
      fit_.mixture = std::move(next.mixture);
      fit_.replaced_components += next.replaced_components;
      comparable_ = next.replaced_components == 0;
      ++fit_.iterations;
      evaluate(samples, options);
    }
  }

  [[nodiscard]] double mean_log_likelihood() const { return fit_.mean_log_likelihood; }
  /// Whether EM converged and the likelihood rose only little.
  [[nodiscard]] bool started_well() const {
    return fit_.converged && fit_.history.back() - fit_.history[1] < rise_of_good_start;
  }
  [[nodiscard]] MixtureFit take() && { return std::move(fit_); }

 private:
  void evaluate(const WeightedSamples& samples, const MixtureOptions& options) {
    sums_ = device_of(options.execution)
                .moment_sums(samples, density_table(fit_.mixture), options.precision,
                             options.execution);
    fit_.mean_log_likelihood = sums_.log_likelihood / sums_.weight;
    fit_.history.push_back(fit_.mean_log_likelihood);
    report(options, stage_, fit_);
    fit_.converged = rule_.converged(fit_.mean_log_likelihood, comparable_);
  }

  FitStage stage_;
  StoppingRule rule_;
  MixtureFit fit_;
  MomentSums sums_;          ///< under the mixture of the fit
  bool comparable_ = false;  ///< whether there is a previous likelihood to compare with
};

MixtureFit expectation_maximization(const WeightedSamples& samples, Mixture start,
                                    const MixtureOptions& options,
                                    const Regularization& regularization, const FitStage& stage) {
  EmRun run(std::move(start), options, stage);
  run.advance(samples, options, regularization, options.max_iterations);
  return std::move(run).take();
}

/// The mean log-density of samples under a single component with their mean.
/// @param covariance  the compact covariance of the samples
double mean_log_density(const Mixture& mixture, const Matrix& covariance) {
  const DensityTable table = density_table(mixture);
  const Matrix& whitening = table.whitening.front();
  if (layout_of(mixture.covariance_type).has_matrices()) {
    const double squares = (whitening * covariance).cwiseProduct(whitening).sum();
    return table.log_scale[0] - 0.5 * squares;
  }
  const Index copies = mixture.n_features() / whitening.rows();
  return table.log_scale[0] -
         0.5 * static_cast<double>(copies) * whitening.cwiseAbs2().cwiseProduct(covariance).sum();
}

/// The fit of one component. EM from any start reaches the mean and covariance of the samples in
/// its first step and does not change them in the second.
MixtureFit single_component(const WholeSample& whole, const MixtureOptions& options) {
  MixtureFit fit;
  fit.mixture = with_shared_covariance(options.covariance_type, Vector::Ones(1),
                                       whole.mean.transpose(), whole.spread);
  fit.mean_log_likelihood = mean_log_density(fit.mixture, whole.covariance);
  fit.converged = true;
  for (fit.iterations = 0; fit.iterations <= 1; ++fit.iterations) {
    fit.history.push_back(fit.mean_log_likelihood);
    report(options, {}, fit);
  }
  fit.iterations = 1;
  return fit;
}

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
  const int n = compares_starts(options) ? n_candidate_starts : 1;
  std::optional<EmRun> best;
  for (int candidate = 0; candidate < n && !(best && best->started_well()); ++candidate) {
    stage.stream = stage.restart * n + candidate;
    EmRun run(starting_mixture(samples, options, whole, stage), options, stage);
    run.advance(samples, options, whole.regularization,
                std::min(options.max_iterations, candidate_steps));
    if (!best || run.mean_log_likelihood() > best->mean_log_likelihood()) best = std::move(run);
  }
  best->advance(samples, options, whole.regularization, options.max_iterations);
  return std::move(*best).take();
}

/// The best of n_init fits from different starts.
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
  for_each_chunk(n_runs, options.execution, [&](Index run) {
    const int stream = restart * n_runs + static_cast<int>(run);
    const FitStage stage{
        .restart = restart, .stream = stream, .subsample = true, .from_start = true};
    Mixture start = starting_mixture(kept.view(), short_options, whole, stage);
    at(runs, run) = expectation_maximization(kept.view(), std::move(start), short_options,
                                             whole.regularization, stage);
  });
  const auto worse = [](const MixtureFit& left, const MixtureFit& right) {
    return left.mean_log_likelihood < right.mean_log_likelihood;
  };
  return std::max_element(runs.begin(), runs.end(), worse)->mixture;
}

/// The best of n_init fits to a subsample of many samples.
MixtureFit best_rough_fit(const WeightedSamples& all, const WeightedSamples& subsample,
                          const MixtureOptions& options, const WholeSample& whole) {
  const Index d = all.samples.n_features();
  const Index short_size =
      std::max(least_short_run, samples_per_product * options.n_components * (d * d / 2 + 1));
  const Index affordable = all.samples.n_samples() / (short_run_share * short_size);
  const int n_runs = static_cast<int>(std::clamp<Index>(affordable, 1, most_short_runs));
  std::optional<Subsample> few;
  if (n_runs > 1 && options.max_iterations > 0 && short_size < subsample.samples.n_samples()) {
    few.emplace(subsample, short_size, options.seed);
    if (n_distinct_samples(few->view(), options.n_components) < options.n_components) few.reset();
  }
  MixtureFit best;
  for (int restart = 0; restart < options.n_init; ++restart) {
    const FitStage stage{.restart = restart, .subsample = true, .from_start = !few};
    keep_better(few ? expectation_maximization(
                          subsample, best_short_run(few->view(), options, whole, restart, n_runs),
                          options, whole.regularization, stage)
                    : fit_from_best_start(subsample, options, whole, stage),
                restart == 0, best);
  }
  return best;
}

Index samples_to_start_on(SampleView samples, const MixtureOptions& options) {
  if (options.start_samples) return *options.start_samples;
  return start_sample_size(samples.n_samples(), samples.n_features(), options.n_components);
}

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

/// Fits one component per distinct sample. The others are copies, which do not change the density.
MixtureFit fit_with_copies(const WeightedSamples& samples, const MixtureOptions& options,
                           Index n_distinct) {
  if (options.covariance_floor + options.relative_covariance_floor == 0.0 &&
      options.shrinkage.is_none()) {
    throw NumericalError(message("fit_mixture: samples has ", counted(n_distinct, "distinct point"),
                                 ", fewer than n_components = ", options.n_components,
                                 ", and their covariances are singular without a floor; increase "
                                 "covariance_floor or reduce n_components"));
  }
  MixtureOptions fewer = options;
  fewer.n_components = static_cast<int>(n_distinct);
  MixtureFit fit = fit_mixture(samples.samples, fewer, samples.weights);
  fit.mixture = with_copies(fit.mixture, options.n_components);
  fit.copied_components = options.n_components - fewer.n_components;
  return fit;
}

}  // namespace

MixtureFit fit_mixture(SampleView samples, const MixtureOptions& options,
                       std::span<const double> sample_weights) {
  check_fit_arguments({samples, sample_weights}, options);
  const KeptSamples kept({samples, sample_weights}, options.execution);
  const WeightedSamples& weighted = kept.view();
  if (!options.initial) {
    const Index n_distinct = n_distinct_samples(weighted, options.n_components);
    if (n_distinct < options.n_components) return fit_with_copies(weighted, options, n_distinct);
  }
  const WholeSample whole = whole_sample(weighted, options);
  if (options.initial)
    return expectation_maximization(weighted, *options.initial, options, whole.regularization, {});
  if (options.n_components == 1 && options.max_iterations > 0) {
    return single_component(whole, options);
  }
  const Index start_size = samples_to_start_on(samples, options);
  if (start_size >= samples.n_samples()) return best_fit(weighted, options, whole);
  const Subsample subsample(weighted, start_size, options.seed);
  if (n_distinct_samples(subsample.view(), options.n_components) < options.n_components) {
    return best_fit(weighted, options, whole);
  }
  MixtureOptions start_options = options;
  start_options.tolerance *= start_tolerance_share;
  const KeptSamples start(subsample.view(), options.execution);
  const MixtureFit rough = best_rough_fit(weighted, start.view(), start_options, whole);
  MixtureFit fit =
      expectation_maximization(weighted, rough.mixture, options, whole.regularization, {});
  fit.start_iterations = rough.iterations;
  fit.replaced_components += rough.replaced_components;
  return fit;
}

}  // namespace lbw
