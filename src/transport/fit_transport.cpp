// SPDX-License-Identifier: MIT
#include <lbw/transport.hpp>
#include <set>

#include "core/message.hpp"
#include "transport/couple.hpp"

namespace lbw {

namespace {

constexpr const char* fit = "fit_transport";

void check_groups(std::span<const Group> groups, const TransportOptions& options) {
  require(groups.size() >= 2, fit, ": ", groups.size(), " groups given, expected 2 or more");
  std::set<std::string> seen;
  for (const Group& group : groups) {
    require(!group.name.empty(), fit, ": a group name is empty");
    require(seen.insert(group.name).second, fit, ": two groups are named '", group.name, "'");
    require(group.samples.n_features() == groups.front().samples.n_features(), fit, ": group '",
            group.name, "' has ", group.samples.n_features(), " features, group '",
            groups.front().name, "' has ", groups.front().samples.n_features());
  }
  const Index d = groups.front().samples.n_features();
  require(options.feature_names.empty() || std::ssize(options.feature_names) == d, fit,
          ": feature_names has ", options.feature_names.size(), " entries for ", d, " features");
  require(!options.mixture.initial, fit,
          ": mixture.initial is set, but each group needs its own start; leave it empty");
}

/// Position of the reference. Deviation P4: the paper does not say which group it is; here the
/// first unless one is named.
/// @throws InvalidArgument listing the groups there are
Index reference_index(const TransportModel& model, const std::string& reference) {
  return reference.empty() ? 0 : model.group_index(reference);
}

MixtureFit fit_group(const Group& group, const TransportOptions& options) {
  MixtureOptions mixture_options = options.mixture;
  if (options.on_iteration) {
    mixture_options.on_iteration = [&](const FitProgress& progress) {
      options.on_iteration(group.name, progress);
    };
  }
  try {
    return fit_mixture(group.samples, mixture_options, group.sample_weights);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(message("group '", group.name, "': ", error.what()));
  } catch (const NumericalError& error) {
    throw NumericalError(message("group '", group.name, "': ", error.what()));
  }
}

/// The options that a model remembers: those that decided its numbers.
MixtureOptions remembered(const MixtureOptions& options) {
  MixtureOptions kept = options;
  kept.execution = {};
  kept.on_iteration = {};
  return kept;
}

}  // namespace

TransportModel fit_transport(std::span<const Group> groups, const TransportOptions& options) {
  check_groups(groups, options);
  TransportModel model;
  for (const Group& group : groups) model.group_names.push_back(group.name);
  model.feature_names = options.feature_names;
  model.mixture_options = remembered(options.mixture);
  const Index reference = reference_index(model, options.reference);
  for (const Group& group : groups) {
    MixtureFit fitted = fit_group(group, options);
    model.reports.push_back({group.samples.n_samples(), fitted.mean_log_likelihood,
                             fitted.iterations, fitted.converged, fitted.replaced_components});
    model.mixtures.push_back(std::move(fitted.mixture));
  }
  model.coupling = couple_by_means(model.mixtures, reference);
  return model;
}

}  // namespace lbw
