// SPDX-License-Identifier: MIT
#include "groups.hpp"

#include <lbw/types.hpp>

namespace lbw::python {

std::vector<Group> groups_of(const std::vector<std::string>& names,
                             const std::vector<SampleArray>& samples, const WeightList& weights,
                             const char* function, const KeyList& keys) {
  const auto fits = [&](std::size_t size) { return size == 0 || size == names.size(); };
  if (samples.size() != names.size() || !fits(weights.size()) || !fits(keys.size())) {
    throw InvalidArgument(std::string(function) +
                          ": names, samples, sample_weights and keys have different lengths");
  }
  std::vector<Group> groups(names.size());
  for (std::size_t g = 0; g < names.size(); ++g) {
    groups[g] = {.name = names[g], .samples = view_of(samples[g], "samples")};
    if (!weights.empty()) groups[g].sample_weights = span_of(weights[g]);
    if (!keys.empty()) groups[g].keys = span_of(keys[g]);
  }
  return groups;
}

}  // namespace lbw::python
