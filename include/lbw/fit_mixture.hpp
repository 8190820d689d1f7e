// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <lbw/mixture.hpp>
#include <lbw/moment_sums.hpp>
#include <lbw/precision.hpp>
#include <lbw/shrinkage.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lbw {

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

/// "kmeans", "kmeans++", "random" or "responsibilities".
[[nodiscard]] std::string_view to_string(MixtureStart start);
/// The inverse of to_string. @throws InvalidArgument listing the names.
[[nodiscard]] MixtureStart mixture_start_from(std::string_view name);

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

}  // namespace lbw
