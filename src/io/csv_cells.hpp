// SPDX-License-Identifier: MIT
// The meaning of a cell: a number, a missing value, or text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lbw {

/// The text without spaces at both ends.
[[nodiscard]] std::string_view without_spaces(std::string_view text);

/// Whether a cell stands for a missing value: empty, ?, or one of NA, N/A, #N/A, <NA>, NaN, NULL
/// and None in upper or lower case.
[[nodiscard]] bool is_missing(std::string_view text);

/// Whether a cell is a word, as in a header: neither a number in any notation, a boolean nor a
/// missing value.
[[nodiscard]] bool is_word(std::string_view text, char decimal);

/// Whether a comma stands between the digits of a number: 1,5 or -12,5e3.
[[nodiscard]] bool has_decimal_comma(std::string_view text);

/// Whether a cell is a whole number in digits that double precision rounds to `value`.
[[nodiscard]] bool is_rounded_whole_number(std::string_view text, double value);

/// Says what to do about a cell that is not a finite number.
/// @param delimiter  of the file
[[nodiscard]] std::string advice_on(std::string_view text, char delimiter, char decimal);

}  // namespace lbw
