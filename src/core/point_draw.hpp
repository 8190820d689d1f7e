// SPDX-License-Identifier: MIT
// Draws that belong to a point: uniform numbers that are a function of a seed, of the point's
// coordinates and of its key alone, so that a point has the same draws in any batch, order or
// thread. Points without a key have key 0.
#pragma once

#include <bit>
#include <cstdint>
#include <lbw/matrix.hpp>
#include <vector>

namespace lbw {

struct PointDraw {
  double first = 0.0;   ///< on [0, 1), 53 bits
  double second = 0.0;  ///< likewise
};

class PointDraws {
 public:
  static constexpr std::uint64_t map_stream = 0x706f696e74;  ///< of random maps

  /// @param stream  what the numbers are for: other streams have nothing to do with each other
  PointDraws(std::uint64_t seed, Index n_features, std::uint64_t stream = map_stream);

  template <typename Input>
  [[nodiscard]] PointDraw of(const Input* point, std::uint64_t key = 0) const {
    const std::uint64_t sum = bits(point, key);
    return {uniform(mixed(sum)), uniform(mixed(sum ^ increment))};
  }

  /// What numbers of a point are made of. A float counts as the double of its value, and -0 as 0.
  template <typename Input>
  [[nodiscard]] std::uint64_t bits(const Input* point, std::uint64_t key) const {
    return bits(point) + mixed(key);  // mixed(0) is 0
  }

  /// The same of key 0.
  template <typename Input>
  [[nodiscard]] std::uint64_t bits(const Input* point) const {
    // pairs of features do not wait for each other: a processor works on several at once
    const std::uint64_t* keys = keys_.data();
    std::uint64_t sum = 0;
    Index f = 0;
    for (; f + 1 < n_features_; f += 2) {
      sum += folded_product(bits_of(point[f]) ^ keys[f], bits_of(point[f + 1]) ^ keys[f + 1]);
    }
    if (f < n_features_) sum += folded_product(bits_of(point[f]) ^ keys[f], keys[f + 1]);
    return sum;
  }

  /// The number at `index` of a sequence that a point has: splitmix64, whose state are the bits.
  static double number(std::uint64_t bits, Index index) {
    return uniform(mixed(bits + (static_cast<std::uint64_t>(index) + 1) * increment));
  }

  /// The finalizer of splitmix64 (Steele, Lea, Flood 2014): one to one, and 0 stays 0.
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
  }

 private:
  static constexpr std::uint64_t increment = 0x9e3779b97f4a7c15ULL;

  template <typename Input>
  static std::uint64_t bits_of(Input value) {
    return std::bit_cast<std::uint64_t>(static_cast<double>(value) + 0.0);
  }

  /// Both halves of the product in one: every bit of either factor counts.
  static std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
  }

  static double uniform(std::uint64_t bits) { return static_cast<double>(bits >> 11U) * 0x1.0p-53; }

  Index n_features_;
  std::vector<std::uint64_t> keys_;  ///< one per feature, and one more
};

}  // namespace lbw
