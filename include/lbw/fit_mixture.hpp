// SPDX-License-Identifier: MIT
// Fitting mixtures by expectation maximisation, and choosing the number of components.
#pragma once

#include <cstdint>
#include <functional>
#include <lbw/mixture.hpp>
#include <lbw/moment_sums.hpp>
#include <lbw/options.hpp>
#include <lbw/types.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lbw {

/// How far estimated covariances are drawn towards equal variances without correlations, which
/// keeps those of few samples in many features away from singular ones. With S the estimate of a
/// component (of all components together where they are tied), d the number of features and a the
/// amount:
///
///   S <- (1 - a) S + a (tr(S) / d) I
///
/// A diagonal S keeps its shape, a spherical one has nothing to draw. The floor is added
/// afterwards.
///
/// Automatic: a is the oracle-approximating amount for normal samples (Chen, Wiesel, Eldar, Hero
/// 2010), at most 1, of every component in every step. With N the samples that the component
/// holds (the sum of its responsibilities; of all components together where they are tied):
///
///   full, tied:  a = ((1 - 2/d) tr(S^2) + tr(S)^2) / ((N + 1 - 2/d) (tr(S^2) - tr(S)^2 / d))
///   diagonal:    a = (2 - 2/d) tr(S^2) / ((N + 2 - 2/d) (tr(S^2) - tr(S)^2 / d))
///
/// The second line is the same derivation for variances that are estimated feature by feature:
/// d errors take the place of d^2.
struct Shrinkage {
  bool automatic = false;
  double amount = 0.0;  ///< 0 (none) to 1 (all variances equal); not used where automatic

  [[nodiscard]] bool is_none() const { return !automatic && amount == 0.0; }
  friend bool operator==(const Shrinkage&, const Shrinkage&) = default;
};

/// Where EM starts.
enum class MixtureStart {
  kmeans,           ///< k-means++ followed by Lloyd; each cluster gives a component
  kmeans_plusplus,  ///< k-means++ alone; narrow, so that samples go to the nearest mean first
  random_points,    ///< distinct samples as means, as narrow as those of kmeans_plusplus
  /// Every sample is shared out among the components at random, so that they are nearly equal. EM
  /// separates them slowly: small steps count as convergence only once the likelihood has risen.
  /// Steps from equal means with a tied covariance would not grow, so these means are moved apart
  /// until half of the variance is between them.
  random_responsibilities,
};

template <>
struct EnumNames<MixtureStart> {
  static constexpr std::string_view option = "start";
  static constexpr NamedValue<MixtureStart> values[] = {
      {MixtureStart::kmeans, "kmeans"},
      {MixtureStart::kmeans_plusplus, "kmeans++"},
      {MixtureStart::random_points, "random"},
      {MixtureStart::random_responsibilities, "responsibilities"}};
};

struct FitProgress {
  int restart = 0;                   ///< 0 ... n_init - 1
  bool starting = false;             ///< k-means is at work, EM has not begun
  bool subsample = false;            ///< the step was on the samples of start_samples only
  int iteration = 0;                 ///< EM steps taken in this restart; of k-means while starting
  double mean_log_likelihood = 0.0;  ///< of the mixture after them; 0 while starting
};

struct MixtureOptions {
  int n_components = 1;
  CovarianceType covariance_type = CovarianceType::full;
  /// Added to the diagonal of every covariance, in squared units of the data; the paper's 1e-6.
  double covariance_floor = 1e-6;
  /// On top of it, this much of every feature's own variance: the diagonal entry of feature j gets
  /// covariance_floor + relative_covariance_floor * (variance of feature j over all samples of the
  /// fit, by their weights). Spherical covariances get the mean of these.
  double relative_covariance_floor = 0.0;
  /// The variances that relative_covariance_floor is a share of, one per feature, >= 0; unset:
  /// those of the samples. Groups that are held against each other want the same: see
  /// TransportOptions.
  std::optional<Vector> floor_variances = {};
  /// How far every estimate is drawn towards equal variances, in each step before the floor is
  /// added. The likelihood may then fall between steps, so a fit stops by the size of its change,
  /// and returns the last mixture, where the steps rest.
  Shrinkage shrinkage = {};
  /// Stop once a step changes the mean log-likelihood per sample by less than this.
  double tolerance = 1e-3;
  /// EM steps allowed on the samples of each stage; running out is reported in the result, not
  /// hidden. 0 returns the start.
  int max_iterations = 100;
  /// Independent fits; the one with the best likelihood is kept. Each goes on from the better of
  /// two starts, compared after five steps, unless the first converges by then with little gain.
  /// random_responsibilities and fewer than six iterations have one. A given start is tried once.
  int n_init = 1;
  MixtureStart start = MixtureStart::kmeans;
  /// Start and run EM on so many samples, drawn evenly, before all of them are used; a large fit
  /// then needs few passes over everything. Restarts run on them too, until a step changes the mean
  /// log-likelihood by less than a tenth of the tolerance, and the best one goes on; where there
  /// are very many samples, each begins with the best of up to twelve short runs. Empty: the
  /// library chooses (see start_sample_size); n_samples or more: all samples from the first step
  /// on, as scikit-learn does. Not used with a given start.
  std::optional<Index> start_samples = std::nullopt;
  /// Start from this mixture instead; its n_components and covariance_type must agree.
  std::optional<Mixture> initial = std::nullopt;
  /// What EM computes in; k-means is always in double precision.
  Precision precision = Precision::f64;
  std::uint64_t seed = 0;
  Execution execution = {};
  /// Called after every step of k-means and EM, one call at a time. What it throws ends the fit.
  std::function<void(const FitProgress&)> on_iteration = {};
};

/// The options with their bounds and help: all but the data (floor_variances, initial) and how the
/// work is run. The list refers to the members of `options`.
[[nodiscard]] std::vector<Option> options_of(MixtureOptions& options);

struct MixtureFit {
  Mixture mixture;
  double mean_log_likelihood = 0.0;  ///< of `mixture`; the last entry of `history`
  /// Mean log-likelihood of all samples at the start and after each step of the restart that was
  /// kept.
  std::vector<double> history;
  int iterations = 0;        ///< EM steps of that restart, on all samples
  int start_iterations = 0;  ///< EM steps before them, on the samples of start_samples
  bool converged = false;
  /// Components that emptied or collapsed and were put back where the fit was worst.
  int replaced_components = 0;
  /// Components that are copies of others and share their weights, because there are fewer distinct
  /// samples than components: component i is a copy of component i modulo the distinct ones.
  int copied_components = 0;
};

/// Fits a mixture by expectation maximisation.
///
/// @param samples         (n_samples, n_features), finite, magnitudes up to 1e100
/// @param sample_weights  empty, or one per sample: >= 0, finite, not all 0; a weight of 2 counts
///                        as the sample twice
/// @throws InvalidArgument  naming the argument, the value seen and the condition; fewer samples of
///                          positive weight than components is one
/// @throws NumericalError   when there is neither floor nor shrinkage and the samples do not span
///                          their space
[[nodiscard]] MixtureFit fit_mixture(SampleView samples, const MixtureOptions& options,
                                     std::span<const double> sample_weights = {});

/// The samples that a fit starts on where start_samples is empty: one in twenty up to 131072, but
/// at least 2048 and 16 per parameter of a full mixture; all of them unless there are four times as
/// many.
[[nodiscard]] Index start_sample_size(Index n_samples, Index n_features, int n_components);

/// One pass of EM over a block of samples: E-step and moment sums. Blocks add up with +=, so a
/// stream or a cluster can feed EM: mixture -> sums of every block -> next_mixture.
[[nodiscard]] MomentSums moment_sums(const Mixture& mixture, SampleView samples,
                                     std::span<const double> sample_weights = {},
                                     const Execution& execution = {},
                                     Precision precision = Precision::f64);

struct NextMixture {
  Mixture mixture;
  int replaced_components = 0;
};

/// The M-step: the mixture that the moment sums of `current` lead to. A component that emptied
/// (less than a thousandth of a sample) or whose covariance is no longer positive definite is put
/// on the worst explained sample with the average covariance; further lost ones keep the place
/// they had in `current`.
[[nodiscard]] NextMixture next_mixture(const Mixture& current, const MomentSums& sums,
                                       double covariance_floor, const Shrinkage& shrinkage = {});

/// What chooses a number of components. AIC and BIC count the parameters of a mixture as if it were
/// not shrunk (MixtureOptions::shrinkage); held-out samples need no count.
enum class Criterion {
  aic,
  bic,
  /// The likelihood of samples that were held out: of every five in a row one, drawn by the seed.
  /// The others, 80 %, are fitted.
  heldout,
};

template <>
struct EnumNames<Criterion> {
  static constexpr std::string_view option = "criterion";
  static constexpr NamedValue<Criterion> values[] = {
      {Criterion::aic, "aic"}, {Criterion::bic, "bic"}, {Criterion::heldout, "heldout"}};
};

/// One number of components on the curve. Likelihoods, AIC and BIC are those of the samples that
/// were fitted: all of them, but for those that Criterion::heldout holds out.
struct SelectionPoint {
  int n_components = 0;
  double mean_log_likelihood = 0.0;
  double aic = 0.0;
  double bic = 0.0;
  int iterations = 0;
  bool converged = false;
  /// Of the samples that were held out; empty unless the criterion is heldout.
  std::optional<double> heldout_log_likelihood = std::nullopt;
  int copied_components = 0;  ///< as in MixtureFit

  /// What the criterion makes least: aic, bic, or minus the mean log-likelihood of held-out
  /// samples. @throws InvalidArgument where none were held out
  [[nodiscard]] double value(Criterion criterion) const;
};

struct SelectionResult {
  std::vector<SelectionPoint> curve;  ///< one per entry of n_components, in that order
  int n_components = 0;               ///< where the criterion is least; the smaller of equals
  MixtureFit fit;                     ///< the fit there, to all samples
};

struct SelectionOptions {
  Criterion criterion = Criterion::aic;
  /// How each mixture is fitted; its n_components and initial are not used.
  MixtureOptions mixture = {};
  /// Called when a number of components is done.
  std::function<void(const SelectionPoint&)> on_point = {};
};

/// Fits every number of components asked for and chooses by the criterion. Each is fitted from
/// scratch and, when the one before it was smaller, also from that fit with its heaviest components
/// split; the likelier of the two is kept. Under Criterion::heldout the number that is chosen is
/// fitted once more, to all samples.
[[nodiscard]] SelectionResult select_components(SampleView samples,
                                                std::span<const int> n_components,
                                                const SelectionOptions& options = {});

}  // namespace lbw
