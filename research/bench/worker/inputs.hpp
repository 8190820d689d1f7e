// SPDX-License-Identifier: MIT
// The inputs that the driver wrote for all workers.
#pragma once

#include <lbw/lbw.hpp>
#include <string>
#include <vector>

namespace lbw::bench {

/// The array in a file, which is kept in memory until `forget_inputs`.
const RowMatrix& array(const std::string& path);

/// Drops all arrays to free memory.
void forget_inputs();

/// The mixture in PREFIX.weights.npy, PREFIX.means.npy and PREFIX.covariances.npy, the last with
/// its matrices stacked vertically.
Mixture read_mixture(const std::string& prefix);

/// The vertically stacked square matrices in a file.
std::vector<Matrix> read_matrices(const std::string& path);

}  // namespace lbw::bench
