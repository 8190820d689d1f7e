// SPDX-License-Identifier: MIT
// FNV-1a, a hash that is the same on every machine.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace lbw {

class Fnv {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) mix(static_cast<unsigned char>(byte));
  }
  void add(double number) { mix(std::bit_cast<std::uint64_t>(number)); }

  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  void mix(std::uint64_t bits) { state_ = (state_ ^ bits) * 0x100000001b3ULL; }

  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace lbw
