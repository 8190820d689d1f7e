// SPDX-License-Identifier: MIT
// What all fuzz targets share: values made of arbitrary bytes, and what a target may not do.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <lbw/matrix.hpp>
#include <lbw/types.hpp>
#include <string>
#include <string_view>

namespace lbw::fuzz {

/// Ends the process if a property does not hold; the fuzzer then keeps the input.
inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s\n", property);
  std::abort();
}

/// Runs code that may refuse its input with the errors of lbw. Other exceptions are findings.
template <typename Code>
bool accepts(const Code& code) {
  try {
    code();
    return true;
  } catch (const IoError& error) {
    require(*error.what() != '\0', "an error has a text");
  } catch (const InvalidArgument& error) {
    require(*error.what() != '\0', "an error has a text");
  } catch (const NumericalError& error) {
    require(*error.what() != '\0', "an error has a text");
  }
  return false;
}

/// Reads values from bytes; zeros after their end.
class FuzzInput {
 public:
  FuzzInput(const std::uint8_t* data, std::size_t size)
      : bytes_(reinterpret_cast<const char*>(data), size) {}

  [[nodiscard]] std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return first;
  }

  /// A whole number from `least` to `most`, which differ by less than 256.
  [[nodiscard]] int whole(int least, int most) { return least + byte() % (most - least + 1); }

  /// Often a small number with ties, sometimes one of any size. Never NaN.
  [[nodiscard]] double number() {
    const int kind = byte();
    if (kind < 192) return static_cast<std::int8_t>(byte());
    if (kind < 240) return std::ldexp(static_cast<std::int8_t>(byte()), whole(-120, 120));
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8U | byte();
    const double value = std::bit_cast<double>(bits);
    return std::isnan(value) ? 0.0 : value;
  }

  [[nodiscard]] RowMatrix numbers(Index rows, Index columns) {
    RowMatrix values(rows, columns);
    for (Index i = 0; i < values.size(); ++i) values.data()[i] = number();
    return values;
  }

  /// Weights >= 0 that are small whole numbers, with some zeros.
  [[nodiscard]] Vector weights(Index count) {
    Vector values(count);
    for (Index i = 0; i < count; ++i) values(i) = whole(0, 9);
    return values;
  }

  [[nodiscard]] std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

/// Whether all numbers are small enough that sums of them are exact to about 1e-12.
inline bool is_moderate(const RowMatrix& values) { return values.array().abs().maxCoeff() <= 1e6; }

}  // namespace lbw::fuzz
