// SPDX-License-Identifier: MIT
// Words for error messages, and the checks that many rooms make of their arguments.
#pragma once

#include <charconv>
#include <concepts>
#include <lbw/samples.hpp>
#include <lbw/text.hpp>
#include <lbw/types.hpp>
#include <span>
#include <string>
#include <string_view>

namespace lbw {

/// The shortest text that reads back to the same double.
[[nodiscard]] std::string to_text(double value);

/// Joins names, strings and numbers into one message.
template <typename... Parts>
[[nodiscard]] std::string message(const Parts&... parts) {
  std::string text;
  const auto append = [&text](const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    if constexpr (std::is_floating_point_v<Part>) {
      text += to_text(part);
    } else if constexpr (std::is_integral_v<Part> && !std::is_same_v<Part, char>) {
      text += std::to_string(part);
    } else {
      text += part;
    }
  };
  (append(parts), ...);
  return text;
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
  if (!condition) throw InvalidArgument(message(parts...));
}

/// Not empty.
void check_shape(SampleView samples, const char* function, const char* argument);

/// Rows [begin, end) finite, magnitudes up to 1e100 (their squares must stay finite).
void check_rows(SampleView samples, Index begin, Index end, const char* function,
                const char* argument);

/// Both, for all rows.
void check_samples(SampleView samples, const char* function, const char* argument,
                   const Execution& execution);

/// n_threads >= 0.
void check_execution(const Execution& execution, const char* function);

/// As many as expected, >= 0, finite and summing to 1 within 1e-9.
void check_simplex(std::span<const double> weights, Index expected_size, const char* function,
                   const char* argument);

}  // namespace lbw
