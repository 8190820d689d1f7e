// SPDX-License-Identifier: MIT
// Random draws of a point: uniform numbers that depend only on a seed, the point's coordinates and
// its key, not on batches, order or threads. Points without a key have key 0.
#pragma once

#include <bit>
#include <cstdint>
#include <lbw/matrix.hpp>
#include <vector>

namespace lbw {

struct PointDraw {
  double first = 0.0;   ///< on [0, 1), 53 bits
  double second = 0.0;  ///< the same
};

class PointDraws {
 public:
  static constexpr std::uint64_t map_stream = 0x706f696e74;  ///< for random maps

  /// @param stream  the purpose of the numbers; different streams are independent
  PointDraws(std::uint64_t seed, Index n_features, std::uint64_t stream = map_stream);

  template <typename Input>
  [[nodiscard]] PointDraw of(const Input* point, std::uint64_t key = 0) const {
    const std::uint64_t sum = bits(point, key);
    return {uniform(mixed(sum)), uniform(mixed(sum ^ increment))};
  }

  /// The hash that the numbers of a point are derived from. A float is converted to double, -0 to
  /// 0.
  template <typename Input>
  [[nodiscard]] std::uint64_t bits(const Input* point, std::uint64_t key) const {
    return bits(point) + mixed(key);  // mixed(0) is 0
  }

  /// The same for key 0.
  template <typename Input>
  [[nodiscard]] std::uint64_t bits(const Input* point) const {
    // pairs of features are independent, so the processor can work on several at once
    const std::uint64_t* keys = keys_.data();
    std::uint64_t sum = 0;
    Index f = 0;
    for (; f + 1 < n_features_; f += 2) {
      sum += folded_product(bits_of(point[f]) ^ keys[f], bits_of(point[f + 1]) ^ keys[f + 1]);
    }
    if (f < n_features_) sum += folded_product(bits_of(point[f]) ^ keys[f], keys[f + 1]);
    return sum;
  }

  /// The number at `index` of the sequence of a point: splitmix64 with `bits` as its state.
  static double number(std::uint64_t bits, Index index) {
    return uniform(mixed(bits + (static_cast<std::uint64_t>(index) + 1) * increment));
  }

  /// The finalizer of splitmix64 (Steele, Lea, Flood 2014). It is one-to-one and maps 0 to 0.
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

  /// Both halves of the product combined, so that every bit of either factor matters.
  static std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
  }

  static double uniform(std::uint64_t bits) { return static_cast<double>(bits >> 11U) * 0x1.0p-53; }

  Index n_features_;
  std::vector<std::uint64_t> keys_;  ///< one per feature, and one more
};

}  // namespace lbw
