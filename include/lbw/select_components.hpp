// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/fit_mixture.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace lbw {

enum class Criterion { aic, bic };

/// "aic" or "bic".
[[nodiscard]] std::string_view to_string(Criterion criterion);
/// The inverse of to_string. @throws InvalidArgument listing the names.
[[nodiscard]] Criterion criterion_from(std::string_view name);

struct SelectionPoint {  // one number of components on the curve
  int n_components = 0;
  double mean_log_likelihood = 0.0;
  double aic = 0.0;
  double bic = 0.0;
  int iterations = 0;
  bool converged = false;
};

struct SelectionResult {
  std::vector<SelectionPoint> curve;  ///< one per entry of n_components, in that order
  int n_components = 0;               ///< where the criterion is least; the smaller of equals
  MixtureFit fit;                     ///< the fit there
};

struct SelectionOptions {
  Criterion criterion = Criterion::aic;
  /// How each mixture is fitted; its n_components and initial are not used.
  MixtureOptions mixture = {};
  /// Called when a number of components is done.
  std::function<void(const SelectionPoint&)> on_point = {};
};

/// Fits every number of components asked for and chooses by AIC or BIC. Each is fitted from
/// scratch and, when the one before it was smaller, also from that fit with its heaviest components
/// split; the likelier of the two is kept.
[[nodiscard]] SelectionResult select_components(SampleView samples,
                                                std::span<const int> n_components,
                                                const SelectionOptions& options = {});

}  // namespace lbw
