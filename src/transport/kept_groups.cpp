// SPDX-License-Identifier: MIT
#include "transport/kept_groups.hpp"

#include <algorithm>
#include <set>

#include "core/message.hpp"

namespace lbw {

bool is_kept(const TransportModel& model, std::string_view group) {
  const auto& kept = model.kept_groups;
  return std::find(kept.begin(), kept.end(), group) != kept.end();
}

std::vector<double> weights_of_fitted(const TransportModel& model,
                                      std::span<const double> barycentric_weights,
                                      const char* function) {
  std::vector<double> weights(barycentric_weights.begin(), barycentric_weights.end());
  if (model.kept_groups.empty()) return weights;
  double sum = 0.0;
  for (std::size_t g = 0; g < weights.size(); ++g) {
    if (is_kept(model, model.group_names[g])) weights[g] = 0.0;
    sum += weights[g];
  }
  require(sum > 0.0, function,
          ": barycentric_weights are 0 for all groups except those too small to fit (",
          quoted_list(model.kept_groups), "); set a positive weight for another group");
  for (double& weight : weights) weight /= sum;
  return weights;
}

void check_kept_groups(const TransportModel& model, const char* function) {
  std::set<std::string> seen;
  for (const std::string& name : model.kept_groups) {
    const auto found = std::find(model.group_names.begin(), model.group_names.end(), name);
    require(found != model.group_names.end(), function, ": kept group '", shortened(name),
            "' is not in the model, expected one of ", quoted_list(model.group_names));
    require(seen.insert(name).second, function, ": group '", shortened(name),
            "' is listed twice in kept_groups");
  }
  require(seen.size() < model.group_names.size(), function,
          ": all groups of the model are kept, expected at least one fitted group");
}

}  // namespace lbw
