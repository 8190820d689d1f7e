// SPDX-License-Identifier: MIT
// Densities of a block of samples under all components of a mixture.
#pragma once

#include <vector>

#include "device/tables.hpp"
#include "support/plain_block.hpp"

namespace lbw {

/// Buffers reused by all blocks of one thread.
struct DensityWorkspace {
  std::vector<Lane> differences;  ///< (n_features)
  std::vector<Lane> joint;        ///< (n_components): log joint density, then responsibility
  Lane log_density{};

  explicit DensityWorkspace(const DensityTable& table)
      : differences(static_cast<std::size_t>(table.n_features())),
        joint(static_cast<std::size_t>(table.n_components())) {}
};

/// joint[k] = log(weight_k N(x; k)) for the points of the block.
void log_joint_densities(const SampleBlock& block, const DensityTable& table,
                         DensityWorkspace& workspace);

/// Replaces joint[k] by the responsibility of k; log_density is the log of the sum over k.
void normalize_responsibilities(DensityWorkspace& workspace);

/// The component of largest joint density; ties go to the lowest index.
void largest_component(const std::vector<Lane>& joint, std::array<int, block_size>& labels);

}  // namespace lbw
