// SPDX-License-Identifier: MIT
// The arrays of one mixture in a model file.
#pragma once

#include <lbw/mixture.hpp>
#include <string>

#include "io/tensor_shelf.hpp"

namespace lbw {

/// @param prefix  of the names of the tensors: "groups.0.", or empty
void add_mixture(ModelTensors& out, const std::string& prefix, const Mixture& mixture);

/// Fills a mixture that has its covariance type.
/// @throws IoError  if a tensor is missing or has the wrong type or shape
void read_mixture(TensorShelf& shelf, const std::string& prefix, Mixture& mixture);

}  // namespace lbw
