// SPDX-License-Identifier: MIT
// The arrays of a model's refinement.
#pragma once

#include <lbw/transport.hpp>

#include "io/tensor_shelf.hpp"

namespace lbw {

/// Adds nothing if there is no refinement.
void add_refinement(ModelTensors& out, const TransportModel& model);

/// Fills the refinement of a model that has its groups and mixtures; leaves it empty if the file
/// has no such tensors.
/// @throws IoError  if a tensor is missing or has the wrong type or shape
void read_refinement(TensorShelf& shelf, TransportModel& model);

}  // namespace lbw
