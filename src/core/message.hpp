// SPDX-License-Identifier: MIT
// Text of error messages, and argument checks that several rooms share.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <initializer_list>
#include <lbw/options.hpp>
#include <lbw/samples.hpp>
#include <lbw/types.hpp>
#include <span>
#include <string>
#include <string_view>

namespace lbw {

/// The shortest text that reads back to the same double.
[[nodiscard]] std::string to_text(double value);

/// One part of a message: a string, a character or a number.
class MessagePart {
 public:
  MessagePart(const char* text) : text_(text) {}                 // NOLINT: implicit on purpose
  MessagePart(std::string_view text) : text_(text) {}            // NOLINT
  MessagePart(const std::string& text) : text_(text) {}          // NOLINT
  MessagePart(char letter) : buffer_{letter}, n_buffered_(1) {}  // NOLINT
  MessagePart(double value);                                     // NOLINT
  template <std::integral Number>
  MessagePart(Number value) {  // NOLINT
    const auto result = std::to_chars(buffer_.data(), buffer_.data() + buffer_.size(), value);
    n_buffered_ = static_cast<std::size_t>(result.ptr - buffer_.data());
  }

  [[nodiscard]] std::string_view text() const {
    return n_buffered_ > 0 ? std::string_view(buffer_.data(), n_buffered_) : text_;
  }

 private:
  std::string_view text_;
  std::array<char, 32> buffer_{};
  std::size_t n_buffered_ = 0;
};

[[nodiscard]] std::string joined(std::initializer_list<MessagePart> parts);
[[noreturn]] void throw_invalid_argument(std::initializer_list<MessagePart> parts);

/// Joins names, strings and numbers into one message.
template <typename... Parts>
[[nodiscard]] std::string message(const Parts&... parts) {
  return joined({MessagePart(parts)...});
}

/// "1 group", "2 groups"; "1 entry", "2 entries".
[[nodiscard]] std::string counted(std::integral auto count, std::string_view noun) {
  if (count == 1) return message(count, " ", noun);
  return noun.ends_with('y') ? message(count, " ", noun.substr(0, noun.size() - 1), "ies")
                             : message(count, " ", noun, "s");
}

/// Throws InvalidArgument with the joined message unless the condition holds.
template <typename... Parts>
void require(bool condition, const Parts&... parts) {
  if (!condition) throw_invalid_argument({MessagePart(parts)...});
}

/// Checks that the samples are not empty.
void check_shape(SampleView samples, const char* function, const char* argument);

/// Checks that rows [begin, end) are finite with magnitudes up to 1e100, so that squares are
/// finite.
void check_rows(SampleView samples, Index begin, Index end, const char* function,
                const char* argument);

/// Checks shape and values of all rows.
void check_samples(SampleView samples, const char* function, const char* argument,
                   const Execution& execution);

/// Checks that n_threads >= 0.
void check_execution(const Execution& execution, const char* function);

/// Checks that the weights have the expected number, are finite and >= 0, and sum to 1 within 1e-9.
void check_simplex(std::span<const double> weights, Index expected_size, const char* function,
                   const char* argument);

}  // namespace lbw
