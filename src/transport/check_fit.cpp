// SPDX-License-Identifier: MIT
#include "transport/check_fit.hpp"

#include <set>

#include "core/message.hpp"
#include "core/row_keys.hpp"
#include "transport/fit_refinement.hpp"
#include "transport/group_source.hpp"
#include "transport/weighing_groups.hpp"

namespace lbw {

namespace {

constexpr const char* fitting = "fit_transport";

// A single sample gives no estimate of the spread, and its mean is as uncertain as the group is
// wide.
constexpr Index least_group_size = 2;

std::string samples_name(const Group& group) { return "samples of group '" + group.name + "'"; }

void check_groups(std::span<const Group> groups, const TransportOptions& options) {
  require(groups.size() >= 2, fitting, ": ", counted(groups.size(), "group"),
          " given, expected 2 or more");
  std::set<std::string> seen;
  for (const Group& group : groups) {
    require(!group.name.empty(), fitting, ": a group name is empty, expected a non-empty name");
    require(seen.insert(group.name).second, fitting, ": two groups are named '",
            shortened(group.name), "'");
    require(group.samples.n_features() == groups.front().samples.n_features(), fitting, ": group '",
            group.name, "' has ", counted(group.samples.n_features(), "feature"), ", group '",
            groups.front().name, "' has ", groups.front().samples.n_features());
    check_keys(group.keys, group.samples.n_samples(), fitting,
               "keys of group '" + group.name + "'");
    check_weights_of(group, fitting);
  }
  const Index d = groups.front().samples.n_features();
  require(options.feature_names.empty() || std::ssize(options.feature_names) == d, fitting,
          ": feature_names has ", counted(options.feature_names.size(), "entry"), " for ",
          counted(d, "feature"), ", expected one per feature");
  require(!options.mixture.initial, fitting,
          ": mixture.initial is set, but each group needs a separate start; leave it empty");
}

void check_components(std::span<const Group> groups, const TransportOptions& options) {
  const std::vector<int>& numbers = options.n_components_per_group;
  require(numbers.empty() || numbers.size() == groups.size(), fitting,
          ": n_components_per_group has ", counted(numbers.size(), "entry"), " for ",
          counted(groups.size(), "group"), ", expected one per group");
  if (options.coupling != CouplingMethod::matching) return;
  for (const int number : numbers) {
    require(number == numbers.front(), fitting, ": n_components_per_group has ", numbers.front(),
            " and ", counted(number, "component"),
            ", but a matching needs equal numbers; set coupling to plan");
  }
}

void check_group_sizes(std::span<const Group> groups, const TransportOptions& options) {
  Index n_fitted = 0;
  for (const Group& group : groups) {
    check_shape(group.samples, fitting, samples_name(group).c_str());
    const bool small = is_small(group);
    require(!small || options.small_groups == SmallGroups::keep, fitting, ": group '", group.name,
            "' has ", counted(n_positive_of(group), "sample"),
            group.sample_weights.empty() ? "" : " with a weight above 0",
            ", expected 2 or more: the spread of one sample is unknown; merge the group with "
            "another, remove it, or set small_groups to keep");
    if (!small) ++n_fitted;
  }
  require(n_fitted >= 2, fitting, ": ", counted(n_fitted, "group"),
          n_fitted == 1 ? " has" : " have", " 2 samples or more, expected at least 2 such groups");
}

}  // namespace

void check_fit(std::span<const Group> groups, const TransportOptions& options) {
  check_groups(groups, options);
  check_components(groups, options);
  check_options(options_of(options), fitting);
  check_execution(options.mixture.execution, fitting);
  check_refine_options(options, std::ssize(groups), fitting);
  check_group_sizes(groups, options);
}

bool is_small(const Group& group) {
  if (n_positive_of(group) >= least_group_size) return false;
  return !has_weights(group) || weight_of(group) < static_cast<double>(least_group_size);
}

void check_samples_of(const Group& group, const Execution& execution) {
  check_samples(group.samples, fitting, samples_name(group).c_str(), execution);
}

}  // namespace lbw
