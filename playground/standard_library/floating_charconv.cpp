// SPDX-License-Identifier: MIT
#include <version>

#if defined(_LIBCPP_VERSION) && !defined(__cpp_lib_to_chars)

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

/// The scientific notation with the fewest digits that reads back to the same value.
std::string shortest_scientific(double value) {
  constexpr int digits_of_a_double = 16;  // after the first
  std::array<char, 32> text{};
  for (int precision = 0; precision <= digits_of_a_double; ++precision) {
    std::snprintf(text.data(), text.size(), "%.*e", precision, value);
    if (std::strtod(text.data(), nullptr) == value) break;
  }
  return text.data();
}

/// The same digits without an exponent. `scientific` is as above.
std::string fixed_notation(const std::string& scientific, double value) {
  const std::size_t mark = scientific.find('e');
  const int exponent = std::atoi(scientific.c_str() + mark + 1);
  const std::size_t point = scientific.find('.');
  const int n_decimals = point == std::string::npos ? 0 : static_cast<int>(mark - point) - 1;
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), "%.*f", std::max(0, n_decimals - exponent), value);
  return text.data();
}

/// The shorter of both notations, as the standard requires.
std::string shortest(double value) {
  if (std::isnan(value)) return std::signbit(value) ? "-nan" : "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const std::string scientific = shortest_scientific(value);
  const std::string fixed = fixed_notation(scientific, value);
  return fixed.size() <= scientific.size() ? fixed : scientific;
}

}  // namespace

_LIBCPP_BEGIN_NAMESPACE_STD

to_chars_result to_chars(char* first, char* last, double value) {
  const string text = shortest(value);
  if (last - first < static_cast<ptrdiff_t>(text.size())) return {last, errc::value_too_large};
  return {copy(text.begin(), text.end(), first), errc{}};
}

from_chars_result from_chars(const char* first, const char* last, double& value) {
  // strtod also accepts spaces, a plus sign and hexadecimal numbers, which from_chars does not.
  const string text(first, last);
  const size_t digits = text.starts_with('-') ? 1 : 0;
  const bool is_other = text.find_first_of("xX") != string::npos ||
                        text.find_first_of(" \t\n\v\f\r+", digits) == digits;
  char* stop = nullptr;
  const double number = strtod(text.c_str(), &stop);
  if (is_other || stop == text.c_str()) return {first, errc::invalid_argument};
  const char* const end = first + (stop - text.c_str());
  if (std::isinf(number) && text.find_first_of("iI") == string::npos) {
    return {end, errc::result_out_of_range};
  }
  value = number;
  return {end, errc{}};
}

_LIBCPP_END_NAMESPACE_STD

#endif
