// SPDX-License-Identifier: MIT
// Numbers as little-endian bytes on every machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace lbw {

/// The unsigned integer as wide as T.
template <typename T>
using BitsOf = std::conditional_t<
    sizeof(T) == 8, std::uint64_t,
    std::conditional_t<sizeof(T) == 4, std::uint32_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

template <typename T>
[[nodiscard]] T read_number(const char* bytes, bool big_endian) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    const std::size_t place = big_endian ? sizeof(T) - 1 - i : i;
    bits |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * place);
  }
  return std::bit_cast<T>(static_cast<BitsOf<T>>(bits));
}

template <typename T>
[[nodiscard]] T read_little_endian(const char* bytes) {
  return read_number<T>(bytes, false);
}

template <typename T>
void append_little_endian(std::string& bytes, T value) {
  const auto bits = std::bit_cast<BitsOf<T>>(value);
  char buffer[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i) buffer[i] = static_cast<char>(bits >> (8 * i));
  bytes.append(buffer, sizeof(T));
}

}  // namespace lbw
