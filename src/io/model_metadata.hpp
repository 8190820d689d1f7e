// SPDX-License-Identifier: MIT
// The metadata of a model file: everything except its arrays.
#pragma once

#include <lbw/tensor_file.hpp>
#include <lbw/transport.hpp>
#include <string>

namespace lbw {

/// @throws InvalidArgument  on names that are not UTF-8 and numbers that are not finite
[[nodiscard]] Metadata metadata_of(const TransportModel& model);

/// A model with names, reference, kind of coupling, options and reports, and one mixture per group
/// with only its covariance type.
/// @throws IoError  naming the entry that is missing or malformed
[[nodiscard]] TransportModel model_from_metadata(const Metadata& metadata, const std::string& name);

/// Checks that the metadata and the tensors agree on the number of refinement steps.
/// @throws IoError  if they do not
void check_refine_entry(const Metadata& metadata, const std::string& name, std::size_t n_steps);

}  // namespace lbw
