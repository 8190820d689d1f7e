// SPDX-License-Identifier: MIT
// Keys of rows. Every random draw (a piece of a random map, dither, the spread of ties) is a
// function of the seed, of the row's values and of its key, an unsigned 64-bit number. Rows of
// equal values need different keys, or they all have the same draws.
//
// A caller may give a key for every row, such as a customer's number: the row then has the same
// draws in any call. Without keys, it is the number of equal rows before the row in the same call,
// so distinct rows have key 0. With dither, a number of all rows of the call is added, so that
// equal rows of a training and a test set differ. Whoever transports one row at a time must give
// keys.
#pragma once

#include <cstdint>
#include <string_view>

namespace lbw {

/// How many distinct rows of a call are numbered when no keys are given, about: a row that is not
/// among the first of its 1/64 of all hashes to be seen, this number / 64 in each, has key 0, as
/// have its copies. This bounds the memory of calls for more rows than fit into memory.
inline constexpr std::uint64_t most_numbered_rows = std::uint64_t{1} << 20;

/// The key of an identifier, as text in a file or as a string in Python. A whole number in plain
/// decimal digits (7 or -7) that fits into 64 bits, signed or unsigned, is itself modulo 2^64, so
/// that a column of integers and the same column as text have the same keys. Any other text, such
/// as 007, +7, 7.0 or customer-4711, is hashed: FNV-1a, 64 bits, of its bytes in UTF-8. Different
/// texts therefore have different keys, but for collisions of the hash.
[[nodiscard]] std::uint64_t row_key(std::string_view text);

}  // namespace lbw
