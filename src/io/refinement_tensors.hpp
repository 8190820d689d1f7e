// SPDX-License-Identifier: MIT
// The arrays of a model's refinement.
#pragma once

#include <lbw/transport.hpp>

#include "io/tensor_shelf.hpp"

namespace lbw {

/// Adds nothing where there is no refinement.
void add_refinement(ModelTensors& out, const TransportModel& model);

/// Fills the refinement of a model that has its groups and mixtures; none without its tensors.
/// @throws IoError on a tensor that is missing, or of another type or shape
void read_refinement(TensorShelf& shelf, TransportModel& model);

}  // namespace lbw
