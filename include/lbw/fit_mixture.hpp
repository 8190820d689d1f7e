// SPDX-License-Identifier: MIT
// Fitting mixtures by expectation maximization (EM) and selecting the number of components.
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

/// Shrinkage of covariance estimates towards equal variances without correlations. It keeps
/// covariances well conditioned if there are few samples and many features. Let S be the estimate
/// of a component (of all components if they are tied), d the number of features and a the amount:
///
///   S <- (1 - a) S + a (tr(S) / d) I
///
/// A diagonal S stays diagonal, and a spherical S does not change. The floor is added afterwards.
///
/// If automatic, a is the oracle-approximating amount for normal samples (Chen, Wiesel, Eldar, Hero
/// 2010), at most 1, computed for every component in every step. Let N be the sum of the
/// responsibilities of the component (of all components if they are tied):
///
///   full, tied:  a = ((1 - 2/d) tr(S^2) + tr(S)^2) / ((N + 1 - 2/d) (tr(S^2) - tr(S)^2 / d))
///   diagonal:    a = (2 - 2/d) tr(S^2) / ((N + 2 - 2/d) (tr(S^2) - tr(S)^2 / d))
///
/// The second line follows from the same derivation for variances that are estimated feature by
/// feature, with d errors instead of d^2.
struct Shrinkage {
  bool automatic = false;
  double amount = 0.0;  ///< from 0 (none) to 1 (all variances equal); ignored if automatic

  [[nodiscard]] bool is_none() const { return !automatic && amount == 0.0; }
  friend bool operator==(const Shrinkage&, const Shrinkage&) = default;
};

/// The initialization of EM.
enum class MixtureStart {
  kmeans,           ///< k-means++ followed by Lloyd's algorithm; one component per cluster
  kmeans_plusplus,  ///< k-means++ only; small variances assign samples to the nearest mean first
  random_points,    ///< distinct samples as means, with the variances of kmeans_plusplus
  /// Random responsibilities, which make the components nearly equal. EM separates them slowly, so
  /// small steps count as convergence only after the likelihood has risen. With a tied covariance,
  /// equal means would stay equal, so the means are moved apart until half of the variance lies
  /// between them.
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
  bool starting = false;             ///< k-means is running, EM has not begun
  bool subsample = false;            ///< the step used only the samples of start_samples
  int iteration = 0;                 ///< EM steps in this restart, or k-means steps if starting
  double mean_log_likelihood = 0.0;  ///< after this step; 0 if starting
};

struct MixtureOptions {
  int n_components = 1;
  CovarianceType covariance_type = CovarianceType::full;
  /// Added to the diagonal of every covariance, in squared units of the data. The paper uses 1e-6.
  double covariance_floor = 1e-6;
  /// Regularization relative to each feature's variance: the diagonal entry of feature j is
  /// increased by covariance_floor + relative_covariance_floor * (weighted variance of feature j
  /// over all samples of the fit). Spherical covariances use the mean over the features.
  double relative_covariance_floor = 0.0;
  /// The variances used by relative_covariance_floor, one per feature, >= 0. By default, those of
  /// the samples. TransportOptions explains why groups of one model should share them.
  std::optional<Vector> floor_variances = {};
  /// The units in which starts measure distances and shrinkage compares variances, one per feature,
  /// > 0. By default 1, as in scikit-learn. fit_transport sets them if features are scaled.
  /// Spherical covariances, which depend on units anyway, ignore them.
  std::optional<Vector> start_scales = {};
  /// Shrinkage of every covariance estimate, applied in each step before the floor is added. The
  /// likelihood may then decrease between steps, so EM stops once its absolute change is small, and
  /// returns the last mixture.
  Shrinkage shrinkage = {};
  /// Stop once a step changes the mean log-likelihood per sample by less than this.
  double tolerance = 1e-3;
  /// The maximum number of EM steps in each stage. The result reports whether EM converged. 0
  /// returns the initial mixture.
  int max_iterations = 100;
  /// The number of independent fits; the one of highest likelihood is kept. Each continues from the
  /// better of two starts, compared after five steps, unless the first converges by then with
  /// little gain. random_responsibilities and fits of fewer than six iterations use one start. A
  /// given `initial` is used once.
  int n_init = 1;
  MixtureStart start = MixtureStart::kmeans;
  /// The number of evenly drawn samples on which EM starts before it uses all of them; a large fit
  /// then needs few passes over all samples. Restarts use this subsample too, until a step changes
  /// the mean log-likelihood by less than a tenth of the tolerance, and the best one continues. For
  /// very many samples, each restart begins with the best of up to twelve short runs. If empty, the
  /// number is start_sample_size, or more if weights are so uneven that fewer than a quarter of the
  /// samples count. If n_samples or more, all samples are used from the first step, as in
  /// scikit-learn. Ignored if `initial` is given.
  std::optional<Index> start_samples = std::nullopt;
  /// The initial mixture. Its n_components and covariance_type must agree with the options.
  std::optional<Mixture> initial = std::nullopt;
  /// The precision of EM; k-means always uses double precision. In double precision, the first
  /// steps of a large fit, which only find a start, still use single precision if the tolerance is
  /// 1e-5 or more and n_samples * n_components is 32768 or more.
  Precision precision = Precision::f64;
  std::uint64_t seed = 0;
  Execution execution = {};
  /// Called after every step of k-means and EM, one call at a time. An exception ends the fit.
  std::function<void(const FitProgress&)> on_iteration = {};
};

/// All options with bounds and help, except data (floor_variances, start_scales, initial) and
/// execution settings.
/// The list refers to the members of `options`.
[[nodiscard]] std::vector<Option> options_of(MixtureOptions& options);

struct MixtureFit {
  Mixture mixture;
  double mean_log_likelihood = 0.0;  ///< of `mixture`; the last entry of `history`
  /// Mean log-likelihood of all samples, initially and after each step of the selected restart.
  std::vector<double> history;
  int iterations = 0;        ///< EM steps of that restart, on all samples
  int start_iterations = 0;  ///< earlier EM steps, on the samples of start_samples
  bool converged = false;
  /// The number of empty or collapsed components that were moved to where the fit was worst.
  int replaced_components = 0;
  /// The number of components that are copies of others and share their weights, because there are
  /// fewer distinct samples than components. Component i is a copy of component i modulo the number
  /// of distinct ones.
  int copied_components = 0;
  /// The number of components whose covariance is that of an earlier step, because the covariance
  /// of their samples is not positive definite. A floor or fewer components avoid them.
  int unestimated_components = 0;
};

/// Fits a mixture by expectation maximization.
///
/// @param samples         (n_samples, n_features), finite, magnitudes up to 1e100
/// @param sample_weights  empty, or one per sample: >= 0, finite, not all 0; a weight of 2 is
///                        equivalent to two copies of the sample. Samples of weight 0 are left
///                        out, for which the others are copied, unless EM starts on a subsample
///                        (start_samples), which is drawn from all samples. A weight that is less
///                        than 1e-308 of the largest counts as 0.
/// @throws InvalidArgument  naming the argument, the value received and the condition, for instance
///                          fewer samples of positive weight than components
/// @throws NumericalError   if variances are too small for double precision (standard deviations
///                          below about 1e-150 without a floor), or if there is neither floor nor
///                          shrinkage and the samples do not span the feature space
[[nodiscard]] MixtureFit fit_mixture(SampleView samples, const MixtureOptions& options,
                                     std::span<const double> sample_weights = {});

/// The default of start_samples: a twentieth of the samples up to 131072, but at least 2048 and 16
/// per parameter of a full mixture. If n_samples is less than four times this number, all samples
/// are used.
[[nodiscard]] Index start_sample_size(Index n_samples, Index n_features, int n_components);

/// One pass of EM over a block of samples: E-step and moment sums. Sums of blocks are added with
/// +=, which allows streaming and distributed EM: mixture -> sums of every block -> next_mixture.
/// Responsibilities below e^-65 (single precision: e^-45) of the largest of their sample are 0.
[[nodiscard]] MomentSums moment_sums(const Mixture& mixture, SampleView samples,
                                     std::span<const double> sample_weights = {},
                                     const Execution& execution = {},
                                     Precision precision = Precision::f64);

struct NextMixture {
  Mixture mixture;
  int replaced_components = 0;
  int unestimated_components = 0;  ///< with samples, but with the covariance of `current`
};

/// The M-step: computes the next mixture from the moment sums of `current`. A component that is
/// empty (less than a thousandth of a sample; a sample of weight 2 counts as two) or whose
/// covariance is not positive definite is moved to the sample of lowest density, with the average
/// covariance. Further such components keep their place in `current`.
///
/// @throws NumericalError  if the samples of no component determine a covariance
[[nodiscard]] NextMixture next_mixture(const Mixture& current, const MomentSums& sums,
                                       double covariance_floor, const Shrinkage& shrinkage = {});

/// The criterion that selects the number of components. AIC and BIC count the parameters of a
/// mixture without shrinkage (MixtureOptions::shrinkage); held-out samples need no such count.
enum class Criterion {
  aic,
  bic,
  /// The likelihood of held-out samples. One of every five consecutive samples, drawn by the seed,
  /// is held out; the other 80 % are fitted.
  heldout,
};

template <>
struct EnumNames<Criterion> {
  static constexpr std::string_view option = "criterion";
  static constexpr NamedValue<Criterion> values[] = {
      {Criterion::aic, "aic"}, {Criterion::bic, "bic"}, {Criterion::heldout, "heldout"}};
};

/// The fit of one number of components. Likelihoods, AIC and BIC refer to the fitted samples: all
/// samples, except those that Criterion::heldout holds out.
struct SelectionPoint {
  int n_components = 0;
  double mean_log_likelihood = 0.0;
  double aic = 0.0;
  double bic = 0.0;
  int iterations = 0;
  bool converged = false;
  /// Of the held-out samples; empty unless the criterion is heldout.
  std::optional<double> heldout_log_likelihood = std::nullopt;
  int copied_components = 0;  ///< as in MixtureFit

  /// The value to minimize: aic, bic, or the negative mean log-likelihood of held-out samples.
  /// @throws InvalidArgument if no samples were held out
  [[nodiscard]] double value(Criterion criterion) const;
};

struct SelectionResult {
  std::vector<SelectionPoint> curve;  ///< one per entry of n_components, in that order
  int n_components = 0;               ///< minimizes the criterion; the smallest in case of ties
  MixtureFit fit;                     ///< the fit with n_components, to all samples
};

struct SelectionOptions {
  Criterion criterion = Criterion::aic;
  /// How each mixture is fitted; its n_components and initial are ignored.
  MixtureOptions mixture = {};
  /// Called after each number of components has been fitted.
  std::function<void(const SelectionPoint&)> on_point = {};
};

/// Fits a mixture with each number of components and selects one by the criterion. Each mixture is
/// fitted from scratch and, if the previous number was smaller, also from the previous fit with its
/// heaviest components split; the fit of higher likelihood is kept. With Criterion::heldout, the
/// selected number is fitted again to all samples.
///
/// With weights, likelihoods are weighted means, and AIC and BIC count the sum of the weights, or
/// Kish's effective sample size (sum w)^2 / sum w^2 if that is larger. Held-out samples are chosen
/// among those of positive weight.
///
/// @param sample_weights  as in fit_mixture
[[nodiscard]] SelectionResult select_components(SampleView samples,
                                                std::span<const int> n_components,
                                                const SelectionOptions& options = {},
                                                std::span<const double> sample_weights = {});

}  // namespace lbw
