// SPDX-License-Identifier: MIT
// The words of a model file: everything about a model but its arrays.
#pragma once

#include <lbw/transport.hpp>
#include <string>
#include <utility>
#include <vector>

namespace lbw {

using Metadata = std::vector<std::pair<std::string, std::string>>;

/// @throws InvalidArgument on what JSON cannot hold: names that are no UTF-8, numbers not finite
[[nodiscard]] Metadata metadata_of(const TransportModel& model);

/// A model with names, reference, kind of coupling, options and reports, and one mixture per group
/// that has nothing but its covariance type.
/// @throws IoError naming the entry that is missing or malformed
[[nodiscard]] TransportModel model_from_metadata(const Metadata& metadata, const std::string& name);

/// The tensors know how many steps a refinement has; the words must agree.
/// @throws IoError where they do not
void check_refine_entry(const Metadata& metadata, const std::string& name, std::size_t n_steps);

}  // namespace lbw
