// SPDX-License-Identifier: MIT
#pragma once

#include "device/rows.hpp"
#include "device/tables.hpp"

namespace lbw {

/// weights[i] = scale * weight of sample begin + i for i < count; 0 up to the end of the block.
template <typename T>
void load_weights(const WeightedSamples& samples, Index begin, Index count, double scale,
                  T* weights) {
  if (samples.weights.empty()) {
    std::fill(weights, weights + count, static_cast<T>(scale));
  } else {
    for (Index i = 0; i < count; ++i) {
      weights[i] = static_cast<T>(scale * samples.weight(begin + i));
    }
  }
  std::fill(weights + count, weights + block_points<T>, T{0});
}

}  // namespace lbw
