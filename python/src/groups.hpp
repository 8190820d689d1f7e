// SPDX-License-Identifier: MIT
#pragma once

#include <lbw/transport.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"

namespace lbw::python {

using WeightList = std::vector<std::optional<VectorArray>>;
/// (n_samples), uint64.
using KeyArray = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using KeyList = std::vector<std::optional<KeyArray>>;

[[nodiscard]] inline std::span<const std::uint64_t> span_of(const std::optional<KeyArray>& keys) {
  if (!keys) return {};
  return {keys->data(), keys->size()};
}

/// Groups that view the memory of arrays.
///
/// @param weights   empty, or one entry per group; the same for keys
/// @param function  the start of messages
[[nodiscard]] std::vector<Group> groups_of(const std::vector<std::string>& names,
                                           const std::vector<SampleArray>& samples,
                                           const WeightList& weights, const char* function,
                                           const KeyList& keys = {});

}  // namespace lbw::python
