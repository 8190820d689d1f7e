// SPDX-License-Identifier: MIT
// Chance that belongs to a point: two uniform numbers that are a function of a seed and of the
// point's coordinates alone, so that a point has the same luck in any batch, order or thread.
#pragma once

#include <bit>
#include <cstdint>
#include <lbw/types.hpp>
#include <vector>

namespace lbw {

struct PointDraw {
  double first = 0.0;   ///< on [0, 1), 53 bits
  double second = 0.0;  ///< likewise
};

class PointDraws {
 public:
  PointDraws(std::uint64_t seed, Index n_features);

  /// A float counts as the double of its value, and -0 as 0.
  template <typename Input>
  [[nodiscard]] PointDraw of(const Input* point) const {
    // pairs of features do not wait for each other: a processor works on several at once
    const std::uint64_t* keys = keys_.data();
    std::uint64_t sum = 0;
    Index f = 0;
    for (; f + 1 < n_features_; f += 2) {
      sum += folded_product(bits_of(point[f]) ^ keys[f], bits_of(point[f + 1]) ^ keys[f + 1]);
    }
    if (f < n_features_) sum += folded_product(bits_of(point[f]) ^ keys[f], keys[f + 1]);
    return {uniform(mixed(sum)), uniform(mixed(sum ^ 0x9e3779b97f4a7c15ULL))};
  }

 private:
  template <typename Input>
  static std::uint64_t bits_of(Input value) {
    return std::bit_cast<std::uint64_t>(static_cast<double>(value) + 0.0);
  }

  /// Both halves of the product in one: every bit of either factor counts.
  static std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
  }

  // The finalizer of splitmix64 (Steele, Lea, Flood 2014).
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
  }

  static double uniform(std::uint64_t bits) { return static_cast<double>(bits >> 11U) * 0x1.0p-53; }

  Index n_features_;
  std::vector<std::uint64_t> keys_;  ///< one per feature, and one more
};

}  // namespace lbw
