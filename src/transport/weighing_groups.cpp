// SPDX-License-Identifier: MIT
#include "transport/weighing_groups.hpp"

#include "core/message.hpp"
#include "mixture/checks.hpp"
#include "mixture/weighing.hpp"
#include "transport/check_fit.hpp"

namespace lbw {

namespace {

Group weighing(const Group& group, const Execution& execution) {
  const std::span<const double> weights = group.sample_weights;
  const std::vector<Index> positive = positive_positions(weights);
  if (positive.empty() || positive.size() == weights.size()) return group;
  check_samples_of(group, execution);
  Group result = group;
  result.samples = rows_at(group.samples, positive);
  result.sample_weights = values_at(weights, positive);
  if (!group.keys.empty()) {
    result.keys = values_at(std::span<const std::uint64_t>(group.keys), positive);
  }
  return result;
}

}  // namespace

std::vector<Group> weighing_groups(std::span<const Group> groups, const Execution& execution) {
  std::vector<Group> result;
  for (const Group& group : groups) result.push_back(weighing(group, execution));
  return result;
}

void check_weights_of(const Group& group, const char* function) {
  const std::string place = message(function, ": group '", group.name, "'");
  check_each_weight({group.samples, group.sample_weights}, place.c_str());
}

void check_positive_weights_of(const Group& group, const char* function) {
  const std::string place = message(function, ": group '", group.name, "'");
  check_sample_weights({group.samples, group.sample_weights}, place.c_str());
}

}  // namespace lbw
