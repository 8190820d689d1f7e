// SPDX-License-Identifier: MIT
// The parts of C++20 that lbw uses and that the standard library of Emscripten 3.1 (libc++ 13) does
// not have. It is included before every file, and empty with newer libraries.
#pragma once

#include <version>

#if defined(_LIBCPP_VERSION) && !defined(__cpp_lib_bit_cast)

#include <bit>

_LIBCPP_BEGIN_NAMESPACE_STD

template <typename To, typename From>
[[nodiscard]] constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

_LIBCPP_END_NAMESPACE_STD

#endif

#if defined(_LIBCPP_VERSION) && !defined(__cpp_lib_ranges)

#include <algorithm>
#include <functional>
#include <iterator>

_LIBCPP_BEGIN_NAMESPACE_STD

namespace ranges {

template <typename Range, typename Value>
[[nodiscard]] constexpr auto find(Range&& range, const Value& value) {
  return std::find(std::begin(range), std::end(range), value);
}

template <typename Range, typename Predicate>
[[nodiscard]] constexpr bool all_of(Range&& range, Predicate predicate) {
  for (const auto& element : range) {
    if (!std::invoke(predicate, element)) return false;
  }
  return true;
}

template <typename Range, typename Predicate>
[[nodiscard]] constexpr bool any_of(Range&& range, Predicate predicate) {
  return !all_of(range, [&](const auto& element) { return !std::invoke(predicate, element); });
}

template <typename Range, typename Predicate>
[[nodiscard]] constexpr auto count_if(Range&& range, Predicate predicate) {
  return std::count_if(std::begin(range), std::end(range), predicate);
}

template <typename Range>
[[nodiscard]] constexpr auto max(Range&& range) {
  return *std::max_element(std::begin(range), std::end(range));
}

}  // namespace ranges

_LIBCPP_END_NAMESPACE_STD

#endif

#if defined(_LIBCPP_VERSION) && !defined(__cpp_lib_to_chars)

#include <charconv>

_LIBCPP_BEGIN_NAMESPACE_STD

/// Defined in floating_charconv.cpp.
to_chars_result to_chars(char* first, char* last, double value);
from_chars_result from_chars(const char* first, const char* last, double& value);

_LIBCPP_END_NAMESPACE_STD

#endif
