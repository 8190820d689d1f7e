// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_mixture.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace lbw {

/// What chooses a number of components. AIC and BIC count the parameters of a mixture as if it were
/// not shrunk (MixtureOptions::shrinkage); held-out samples need no count.
enum class Criterion {
  aic,
  bic,
  /// The likelihood of samples that were held out: of every five in a row one, drawn by the seed.
  /// The others, 80 %, are fitted.
  heldout,
};

/// "aic", "bic" or "heldout".
[[nodiscard]] std::string_view to_string(Criterion criterion);
/// The inverse of to_string. @throws InvalidArgument listing the names.
[[nodiscard]] Criterion criterion_from(std::string_view name);

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
