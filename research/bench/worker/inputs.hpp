// SPDX-License-Identifier: MIT
// Inputs that the driver wrote, the same bytes for every worker.
#pragma once

#include <lbw/lbw.hpp>
#include <string>
#include <vector>

namespace lbw::bench {

/// The array in a file, read at the first call and kept until `forget_inputs`.
const RowMatrix& array(const std::string& path);

/// Drops every array, so that the next ones find room.
void forget_inputs();

/// The mixture in PREFIX.weights.npy, PREFIX.means.npy and PREFIX.covariances.npy, the last with
/// its matrices one below the other.
Mixture read_mixture(const std::string& prefix);

/// Square matrices that stand one below the other in a file.
std::vector<Matrix> read_matrices(const std::string& path);

}  // namespace lbw::bench
