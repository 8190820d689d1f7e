// SPDX-License-Identifier: MIT
// The arrays of a model file.
#pragma once

#include <lbw/transport.hpp>
#include <string>
#include <vector>

#include "io/tensor_shelf.hpp"

namespace lbw {

[[nodiscard]] ModelTensors tensors_of(const TransportModel& model);

/// Fills mixtures, coupling and refinement of a model that has its groups and covariance type.
/// @throws IoError  if a tensor is missing, unknown, or has the wrong type or shape
void read_tensors(const std::vector<Tensor>& tensors, const std::string& name,
                  TransportModel& model);

}  // namespace lbw
