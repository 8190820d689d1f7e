// SPDX-License-Identifier: MIT
#include "groups.hpp"

#include <lbw/error.hpp>

namespace lbw::python {

std::vector<Group> groups_of(const std::vector<std::string>& names,
                             const std::vector<SampleArray>& samples, const WeightList& weights,
                             const char* function) {
  if (samples.size() != names.size() || (!weights.empty() && weights.size() != names.size())) {
    throw InvalidArgument(std::string(function) +
                          ": names, samples and sample_weights differ in number");
  }
  std::vector<Group> groups(names.size());
  for (std::size_t g = 0; g < names.size(); ++g) {
    groups[g] = {.name = names[g], .samples = view_of(samples[g], "samples")};
    if (!weights.empty()) groups[g].sample_weights = span_of(weights[g]);
  }
  return groups;
}

}  // namespace lbw::python
