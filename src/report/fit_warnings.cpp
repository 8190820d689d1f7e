// SPDX-License-Identifier: MIT
#include <lbw/report.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "linalg/multiply.hpp"
#include "mixture/covariances.hpp"
#include "report/feature_name.hpp"
#include "report/model_report.hpp"
#include "report/words.hpp"
#include "transport/kept_groups.hpp"

namespace lbw {

namespace {

constexpr double much_of_variance = 0.01;
constexpr std::size_t most_features_named = 5;

/// Groups that were fitted to samples.
std::vector<std::size_t> fitted_groups(const TransportModel& model) {
  std::vector<std::size_t> groups;
  for (std::size_t g = 0; g < model.group_names.size(); ++g) {
    const bool fitted = model.reports[g].n_samples > 0 && !is_kept(model, model.group_names[g]);
    if (fitted) groups.push_back(g);
  }
  return groups;
}

/// Mean and variance of every feature of a mixture.
struct Moments {
  Vector mean;
  Vector variance;
};

Moments moments_of(const Mixture& mixture) {
  Moments moments{mixture.means.transpose() * mixture.weights, Vector::Zero(mixture.n_features())};
  for (Index i = 0; i < mixture.n_components(); ++i) {
    const Vector own = variances_of(compact_covariance(mixture, i), mixture.covariance_type);
    const Vector offset = mixture.means.row(i).transpose() - moments.mean;
    moments.variance.array() += mixture.weights[i] * offset.array().square();
    if (own.size() == 1) {  // spherical
      moments.variance.array() += mixture.weights[i] * own[0];
    } else {
      moments.variance += mixture.weights[i] * own;
    }
  }
  return moments;
}

/// The variances of the samples of every fitted group. EM preserves mean and variance of the
/// samples, so they are those of the mixture minus the floors. The relative floor is a fraction of
/// the variance over all groups, which follows from the same moments.
std::vector<Moments> sample_moments(const TransportModel& model,
                                    const std::vector<std::size_t>& groups) {
  const MixtureOptions& options = model.mixture_options;
  const Index d = model.n_features();
  std::vector<Moments> moments;
  Vector mean = Vector::Zero(d);
  for (const std::size_t g : groups) {
    moments.push_back(moments_of(model.mixtures[g]));
    moments.back().variance.array() -= options.covariance_floor;
    mean += moments.back().mean / static_cast<double>(groups.size());
  }
  Vector common = Vector::Zero(d);
  for (const Moments& own : moments) {
    common += (own.variance + (own.mean - mean).cwiseAbs2()) / static_cast<double>(groups.size());
  }
  common *= options.relative_covariance_floor / (1.0 + options.relative_covariance_floor);
  for (Moments& own : moments) own.variance -= common;
  return moments;
}

/// Features of a group whose variance is dominated by the floor, in descending order of severity.
struct Swamped {
  std::size_t group = 0;
  std::vector<std::pair<double, Index>> features;  ///< variance and feature
};

std::optional<Swamped> swamped_features(const TransportModel& model, std::size_t group,
                                        const Moments& moments) {
  const double floor = model.mixture_options.covariance_floor;
  if (floor > MixtureOptions{}.covariance_floor) return std::nullopt;  // a deliberate choice
  Swamped swamped{group, {}};
  for (Index j = 0; j < moments.variance.size(); ++j) {
    const double variance = moments.variance[j];
    // the rounding error in the variance of a constant
    const double rounding = std::max(1e-12 * floor, 1e-28 * moments.mean[j] * moments.mean[j]);
    if (variance > rounding && floor > much_of_variance * variance) {
      swamped.features.emplace_back(variance, j);
    }
  }
  std::ranges::sort(swamped.features);
  return swamped.features.empty() ? std::nullopt : std::optional(swamped);
}

/// "4 % of" or "20 times".
std::string times(double ratio) {
  return ratio < 1.0 ? percent(ratio) + " of" : rounded(ratio) + " times";
}

std::string floor_text(const TransportModel& model, const Swamped& swamped, std::size_t n_groups) {
  const auto& features = swamped.features;
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(features.size(), most_features_named); ++i) {
    named.push_back(
        message(feature_name(model, features[i].second), " (", rounded(features[i].first), ")"));
  }
  const std::size_t more_groups = n_groups - 1;
  return message(
      "covariance_floor (", model.mixture_options.covariance_floor, ") is ",
      times(model.mixture_options.covariance_floor / features.front().first),
      " the variance of feature", features.size() == 1 ? " " : "s ",
      short_list(named, features.size() - named.size()), " in group '",
      model.group_names[swamped.group], "'",
      more_groups > 0 ? message(" (and in ", counted(more_groups, "other group"), ")") : "",
      ", so the covariances reflect the floor instead of the samples. Rescale the features, for "
      "example to unit variance, or set covariance_floor to 0 and relative_covariance_floor, which "
      "does not depend on units, to a number such as 0.001.");
}

std::optional<std::string> floor_warning_of(const TransportModel& model,
                                            const std::vector<std::size_t>& groups) {
  const std::vector<Moments> moments = sample_moments(model, groups);
  std::optional<Swamped> worst;
  std::size_t n_groups = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::optional<Swamped> found = swamped_features(model, groups[i], moments[i]);
    if (!found) continue;
    ++n_groups;
    if (!worst || found->features.front() < worst->features.front()) worst = found;
  }
  if (!worst) return std::nullopt;
  return floor_text(model, *worst, n_groups);
}

bool same_component(const Mixture& mixture, Index a, Index b) {
  return mixture.means.row(a) == mixture.means.row(b) &&
         compact_covariance(mixture, a) == compact_covariance(mixture, b);
}

Index n_copies(const Mixture& mixture) {
  Index copies = 0;
  for (Index i = 1; i < mixture.n_components(); ++i) {
    Index original = 0;
    while (!same_component(mixture, original, i)) ++original;
    copies += original < i;
  }
  return copies;
}

void add_copy_warnings(const TransportModel& model, const std::vector<std::size_t>& groups,
                       std::vector<std::string>& warnings) {
  for (const std::size_t g : groups) {
    const Index copies = n_copies(model.mixtures[g]);
    if (copies == 0) continue;
    const Index n_components = model.mixtures[g].n_components();
    warnings.push_back(message("Group '", model.group_names[g], "' has ",
                               counted(n_components - copies, "distinct sample"),
                               ", fewer than its ", counted(n_components, "component"), ": ",
                               copies,
                               copies == 1 ? " component is a copy of another and shares its weight"
                                           : " components are copies of others and share their "
                                             "weights",
                               ". Use fewer components."));
  }
}

void add_estimate_warnings(const TransportModel& model, std::vector<std::string>& warnings) {
  for (std::size_t g = 0; g < model.reports.size(); ++g) {
    const int n = model.reports[g].unestimated_components;
    if (n == 0) continue;
    warnings.push_back(message("Group '", model.group_names[g], "' has ", counted(n, "component"),
                               n == 1 ? " whose samples do" : " whose samples each do",
                               " not span the features. The covariance of an earlier step of EM is "
                               "used. Use fewer components, or increase covariance_floor (",
                               model.mixture_options.covariance_floor, ")."));
  }
}

/// Weights of a survey say how many people a row represents, not how many were observed.
void add_weight_warnings(const TransportModel& model, std::vector<std::string>& warnings) {
  constexpr double many_copies = 10.0;  // of a row, on average
  for (std::size_t g = 0; g < model.reports.size(); ++g) {
    const GroupReport& report = model.reports[g];
    if (!report.weighted_count) continue;
    if (!(*report.weighted_count > many_copies * static_cast<double>(report.n_samples))) continue;
    warnings.push_back(message(
        "The weights of group '", model.group_names[g], "' count as ",
        std::llround(std::min(*report.weighted_count, 1e18)), " samples, but it has ",
        counted(report.n_samples, "row"),
        ". A row of weight 2 counts as two rows, so differences appear to have little sampling "
        "noise. If the weights are not numbers of copies, divide them by their mean."));
    return;
  }
}

}  // namespace

std::vector<std::string> fit_warnings(const TransportModel& model) {
  check_model(model, "fit_warnings");
  return warnings_of_fit(model);
}

std::optional<std::string> floor_warning(const Mixture& mixture, const MixtureOptions& options,
                                         const std::string& name,
                                         const std::vector<std::string>& feature_names) {
  check_mixture(mixture, "floor_warning", "mixture");
  require(feature_names.empty() || std::ssize(feature_names) == mixture.n_features(),
          "floor_warning: feature_names has ", feature_names.size(), " entries, expected ",
          mixture.n_features());
  TransportModel model;
  model.group_names = {name};
  model.feature_names = feature_names;
  model.mixtures = {mixture};
  model.mixture_options = options;
  return floor_warning_of(model, {0});
}

std::vector<std::string> warnings_of_fit(const TransportModel& model) {
  const std::vector<std::size_t> groups = fitted_groups(model);
  std::vector<std::string> warnings;
  if (groups.empty()) return warnings;
  if (const auto floor = floor_warning_of(model, groups)) warnings.push_back(*floor);
  add_copy_warnings(model, groups, warnings);
  add_estimate_warnings(model, warnings);
  add_weight_warnings(model, warnings);
  return warnings;
}

}  // namespace lbw
