// SPDX-License-Identifier: MIT
#include "transport/fit_groups.hpp"

#include <algorithm>
#include <lbw/fit_mixture.hpp>
#include <mutex>
#include <optional>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "core/parallel.hpp"
#include "mixture/fit_source.hpp"
#include "mixture/sample_spread.hpp"
#include "mixture/weighing.hpp"
#include "transport/check_fit.hpp"
#include "transport/group_source.hpp"
#include "transport/shrink_groups.hpp"

namespace lbw {

namespace {

bool has_sources(std::span<const Group> groups) {
  return std::ranges::any_of(groups, [](const Group& group) { return group.source != nullptr; });
}

SampleSpread spread_of(const Group& group, const MixtureOptions& options) {
  check_samples_of(group, options.execution);
  if (group.source != nullptr) {
    return source_spread(*group.source, CovarianceType::diagonal, options);
  }
  const ScaledWeights weights(group.sample_weights);
  return sample_spread({group.samples, weights.values()}, CovarianceType::diagonal,
                       options.execution);
}

/// The variance of every feature over all groups, each with equal weight.
Vector common_variances(std::span<const Group> groups, const MixtureOptions& options) {
  std::vector<SampleSpread> spreads(groups.size());
  if (has_sources(groups)) {
    for_each_group_at_once(groups,
                           [&](std::size_t g) { spreads[g] = spread_of(groups[g], options); });
  } else {
    for (std::size_t g = 0; g < groups.size(); ++g) spreads[g] = spread_of(groups[g], options);
  }
  Vector mean = Vector::Zero(groups.front().samples.n_features());
  for (const SampleSpread& spread : spreads) {
    mean += spread.mean / static_cast<double>(groups.size());
  }
  Vector variances = Vector::Zero(mean.size());
  for (const SampleSpread& spread : spreads) {
    variances += spread.covariance.col(0) + (spread.mean - mean).cwiseAbs2();
  }
  return variances / static_cast<double>(groups.size());
}

/// Checks that a feature without variance is constant, and not so small that squares underflow.
void check_constant(std::span<const Group> groups, Index feature) {
  std::optional<double> value;
  for (const Group& group : groups) {
    if (group.source != nullptr) continue;
    const SampleView samples = group.samples;
    for (Index i = 0; i < samples.n_samples(); ++i) {
      if (!value) value = samples(i, feature);
      if (samples(i, feature) == *value) continue;
      throw NumericalError(message("fit_transport: feature ", feature,
                                   " (counted from 0) is not constant, but so small that its "
                                   "variance underflows; rescale that feature"));
    }
  }
}

/// The options of each group's fit.
MixtureOptions group_options(std::span<const Group> groups, const TransportOptions& options) {
  MixtureOptions common = options.mixture;
  const bool needs_floor = common.relative_covariance_floor > 0.0 && !common.floor_variances;
  const bool needs_scales = options.scale_features && !common.start_scales;
  if (!needs_floor && !needs_scales) return common;
  const Vector variances = common_variances(groups, common);
  const Vector positive = (variances.array() > 0.0).select(variances, 1.0);
  if (needs_scales) common.start_scales = positive.cwiseSqrt();
  if (!needs_floor) return common;
  common.floor_variances = variances;
  if (common.covariance_floor > 0.0) return common;
  for (Index f = 0; f < variances.size(); ++f) {
    if (variances[f] == 0.0) check_constant(groups, f);
  }
  common.floor_variances = positive;  // constant features need some floor
  return common;
}

/// The groups that are large enough to fit, and the options of their fits.
struct FittedGroups {
  std::vector<Group> groups;
  TransportOptions options;

  [[nodiscard]] int n_components_of(std::size_t group) const {
    const std::vector<int>& per_group = options.n_components_per_group;
    return per_group.empty() ? options.mixture.n_components : per_group[group];
  }

  [[nodiscard]] std::size_t largest() const {
    std::size_t largest = 0;
    for (std::size_t g = 1; g < groups.size(); ++g) {
      if (n_rows_of(groups[g]) > n_rows_of(groups[largest])) largest = g;
    }
    return largest;
  }
};

FittedGroups without_small_groups(std::span<const Group> groups, const TransportOptions& options) {
  FittedGroups fitted{{}, options};
  fitted.options.n_components_per_group.clear();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (is_small(groups[g])) continue;
    fitted.groups.push_back(groups[g]);
    if (options.n_components_per_group.empty()) continue;
    fitted.options.n_components_per_group.push_back(options.n_components_per_group[g]);
  }
  fitted.options.mixture = group_options(fitted.groups, options);
  return fitted;
}

// Passes with fewer multiply-adds than this gain little from more threads.
constexpr double large_pass = 3e7;

/// Small groups are fitted in parallel with one thread each. Large groups are fitted in sequence
/// with all threads, which balances the work. The results are bitwise identical.
bool side_by_side(const FittedGroups& fitted) {
  const Index d = fitted.groups.front().samples.n_features();
  for (std::size_t i = 0; i < fitted.groups.size(); ++i) {
    const auto n = static_cast<double>(fitted.groups[i].samples.n_samples());
    if (n * fitted.n_components_of(i) * static_cast<double>(d * d + 20) > large_pass) return false;
  }
  return true;
}

MixtureFit fit_group(const Group& group, int n_components, const TransportOptions& options,
                     const Execution& execution, std::mutex& one_at_a_time) {
  MixtureOptions mixture_options = options.mixture;
  mixture_options.n_components = n_components;
  mixture_options.execution = execution;
  if (options.on_iteration) {
    mixture_options.on_iteration = [&](const FitProgress& progress) {
      const std::lock_guard lock(one_at_a_time);
      options.on_iteration(group.name, progress);
    };
  }
  try {
    if (group.source != nullptr) return fit_mixture(*group.source, mixture_options);
    return fit_mixture(group.samples, mixture_options, group.sample_weights);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(message("group '", group.name, "': ", error.what()));
  } catch (const NumericalError& error) {
    throw NumericalError(message("group '", group.name, "': ", error.what()));
  }
}

std::vector<MixtureFit> fit_each(const FittedGroups& fitted) {
  const Execution& all = fitted.options.mixture.execution;
  const Execution one = on_one_thread(all);
  const bool sources = has_sources(fitted.groups);
  const bool parallel = !sources && side_by_side(fitted);
  std::vector<MixtureFit> fits(fitted.groups.size());
  std::mutex one_at_a_time;
  const auto fit = [&](std::size_t group) {
    fits[group] = fit_group(fitted.groups[group], fitted.n_components_of(group), fitted.options,
                            parallel ? one : all, one_at_a_time);
  };
  if (sources) {
    for_each_group_at_once(fitted.groups, fit);
  } else {
    for_each_chunk(std::ssize(fitted.groups), parallel ? all : one,
                   [&](Index group) { fit(to_size(group)); });
  }
  return fits;
}

std::optional<double> weighted_count(const Group& group) {
  return has_weights(group) ? std::optional(sample_count_of(group)) : std::nullopt;
}

GroupReport report_of(const Group& group, const MixtureFit& fit) {
  return {n_rows_of(group),
          fit.mean_log_likelihood,
          fit.iterations,
          fit.converged,
          fit.replaced_components,
          weighted_count(group),
          fit.unestimated_components};
}

GroupReport report_of_small(const Group& group) { return {n_rows_of(group), 0.0, 0, true, 0}; }

}  // namespace

GroupFits fit_mixtures(std::span<const Group> groups, const TransportOptions& options) {
  const FittedGroups fitted = without_small_groups(groups, options);
  std::vector<MixtureFit> fits = fit_each(fitted);
  std::vector<Mixture> mixtures;
  for (MixtureFit& fit : fits) mixtures.push_back(std::move(fit.mixture));
  shrink_groups(mixtures, fitted.groups, options);
  GroupFits result;
  std::size_t next = 0;
  for (const Group& group : groups) {
    if (is_small(group)) {
      result.kept_groups.push_back(group.name);
      result.reports.push_back(report_of_small(group));
      result.mixtures.push_back(mixtures[fitted.largest()]);
    } else {
      result.reports.push_back(report_of(group, fits[next]));
      result.mixtures.push_back(mixtures[next]);
      ++next;
    }
  }
  return result;
}

}  // namespace lbw
