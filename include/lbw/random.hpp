// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace lbw {

/// The seeded generator behind every draw in lbw: xoshiro256++, with our own uniform and normal
/// draws from its bits, because the distributions of standard libraries differ.
class Random {
 public:
  /// Streams of one seed are independent; restarts and groups take one each.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t bits();
  /// Uniform on [0, 1), 53 bits.
  double uniform();
  /// Uniform on {0, ..., bound - 1}, without bias; bound >= 1.
  std::uint64_t below(std::uint64_t bound);
  /// Standard normal.
  double normal();

 private:
  std::uint64_t state_[4];
  double spare_normal_ = 0.0;
  bool has_spare_normal_ = false;
};

}  // namespace lbw
