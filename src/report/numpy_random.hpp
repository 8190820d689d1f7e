// SPDX-License-Identifier: MIT
// The random numbers of NumPy's RandomState, so that C++ and Python draw the same permutations.
#pragma once

#include <cstdint>
#include <lbw/types.hpp>
#include <random>
#include <utility>
#include <vector>

namespace lbw {

class NumpyRandom {
 public:
  explicit NumpyRandom(std::uint32_t seed) : engine_(seed) {}

  /// A whole number from 0 to `most`, like randint(most + 1): draws are repeated until the lowest
  /// bits are in range.
  [[nodiscard]] std::uint32_t up_to(std::uint32_t most) {
    std::uint32_t mask = most;
    for (const unsigned shift : {1U, 2U, 4U, 8U, 16U}) mask |= mask >> shift;
    if (mask == 0) return 0;
    while (true) {
      const std::uint32_t value = static_cast<std::uint32_t>(engine_()) & mask;
      if (value <= most) return value;
    }
  }

  /// A random permutation, like permutation(values).
  template <typename Value>
  [[nodiscard]] std::vector<Value> permutation(std::vector<Value> values) {
    for (std::size_t i = values.size(); i-- > 1;) {
      std::swap(values[i], values[up_to(static_cast<std::uint32_t>(i))]);
    }
    return values;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace lbw
