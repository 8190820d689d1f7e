// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"

namespace lbw::python {

using WeightList = std::vector<std::optional<VectorArray>>;

/// Groups over the memory of arrays.
///
/// @param weights   empty, or one entry per group
/// @param function  what messages begin with
[[nodiscard]] std::vector<Group> groups_of(const std::vector<std::string>& names,
                                           const std::vector<SampleArray>& samples,
                                           const WeightList& weights, const char* function);

}  // namespace lbw::python
