// SPDX-License-Identifier: MIT
#include <algorithm>
#include <lbw/transport.hpp>
#include <set>

#include "core/message.hpp"

namespace lbw {

namespace {

void check_group_names(const TransportModel& model, const char* function) {
  const std::size_t n = model.group_names.size();
  require(n >= 2, function, ": the model has ", n, " groups, expected 2 or more");
  require(model.mixtures.size() == n && model.reports.size() == n, function, ": the model has ", n,
          " group names, ", model.mixtures.size(), " mixtures and ", model.reports.size(),
          " reports, expected as many of each");
  std::set<std::string> seen;
  for (const std::string& name : model.group_names) {
    require(!name.empty(), function, ": a group name is empty");
    require(seen.insert(name).second, function, ": two groups are named '", name, "'");
  }
}

void check_mixtures(const TransportModel& model, const char* function) {
  const Mixture& first = model.mixtures.front();
  for (std::size_t g = 0; g < model.mixtures.size(); ++g) {
    const std::string argument = message("mixture of '", model.group_names[g], "'");
    const Mixture& mixture = model.mixtures[g];
    check_mixture(mixture, function, argument.c_str());
    require(mixture.n_features() == first.n_features(), function, ": ", argument, " has ",
            mixture.n_features(), " features, that of '", model.group_names.front(), "' has ",
            first.n_features());
    require(mixture.covariance_type == first.covariance_type, function, ": ", argument, " is ",
            to_string(mixture.covariance_type), ", that of '", model.group_names.front(), "' is ",
            to_string(first.covariance_type));
  }
  require(model.feature_names.empty() || std::ssize(model.feature_names) == first.n_features(),
          function, ": the model has ", model.feature_names.size(), " feature names for ",
          first.n_features(), " features");
}

/// Every component of every group occurs in exactly one tuple: what a matching gives.
void check_coupling(const TransportModel& model, const char* function) {
  const auto& tuples = model.coupling.tuples;
  require(model.coupling.reference >= 0 && model.coupling.reference < model.n_groups(), function,
          ": the coupling's reference is group ", model.coupling.reference, " of ",
          model.n_groups());
  require(tuples.cols() == model.n_groups(), function, ": the coupling joins ", tuples.cols(),
          " groups, the model has ", model.n_groups());
  for (Index g = 0; g < model.n_groups(); ++g) {
    const Index k = model.mixtures[static_cast<std::size_t>(g)].n_components();
    std::vector<int> members(tuples.col(g).begin(), tuples.col(g).end());
    std::sort(members.begin(), members.end());
    bool each_once = std::ssize(members) == k;
    for (std::size_t i = 0; each_once && i < members.size(); ++i) {
      each_once = members[i] == static_cast<int>(i);
    }
    require(each_once, function, ": the coupling does not hold each of the ", k,
            " components of group '", model.group_names[static_cast<std::size_t>(g)],
            "' exactly once");
  }
}

}  // namespace

Index TransportModel::group_index(std::string_view name) const {
  const auto found = std::find(group_names.begin(), group_names.end(), name);
  require(found != group_names.end(), "group '", name, "' is not in the model, expected one of ",
          quoted_list(group_names));
  return found - group_names.begin();
}

bool TransportModel::converged() const {
  return std::all_of(reports.begin(), reports.end(),
                     [](const GroupReport& report) { return report.converged; });
}

void check_model(const TransportModel& model, const char* function) {
  check_group_names(model, function);
  check_mixtures(model, function);
  check_coupling(model, function);
}

}  // namespace lbw
