// SPDX-License-Identifier: MIT
// The arrays of a model file.
#pragma once

#include <deque>
#include <lbw/transport.hpp>
#include <string>
#include <vector>

#include "io/safetensors.hpp"

namespace lbw {

/// Tensors and the memory they view; a deque never moves what it holds.
struct ModelTensors {
  std::deque<std::string> data;
  std::vector<Tensor> tensors;
};

[[nodiscard]] ModelTensors tensors_of(const TransportModel& model);

/// Fills mixtures and coupling of a model that has its groups and covariance type.
/// @throws IoError on a tensor that is missing, unknown, or of another type or shape
void read_tensors(const std::vector<Tensor>& tensors, const std::string& name,
                  TransportModel& model);

}  // namespace lbw
