// SPDX-License-Identifier: MIT
// Which columns of text are numbers, and which only look like numbers.
#pragma once

#include <lbw/io.hpp>
#include <string>
#include <string_view>

namespace lbw::cli {

/// Whether a column has a number or a boolean.
[[nodiscard]] bool has_number(const TextColumns& columns, std::size_t place, char decimal);

/// Whether all cells of a column are numbers with this decimal mark, and some have the mark.
[[nodiscard]] bool has_marks(const TextColumns& columns, std::size_t place, char mark);

/// Whether each of these marks may separate thousands, as in 3,065.
[[nodiscard]] bool may_have_thousands(const TextColumns& columns, std::size_t place, char mark);

/// A number with separators of thousands, such as 11,883.43, if all cells with digits are numbers
/// and some have separators; otherwise empty.
/// @param mark  the decimal mark that the table does not have, but some cells may
[[nodiscard]] std::string_view number_with_thousands(const TextColumns& columns, std::size_t place,
                                                     char mark);

/// A short value with a digit, for messages about a column of text; empty if there is none.
[[nodiscard]] std::string example_with_digit(const TextColumns& columns, std::size_t place);

/// Whether all numbers of a column are written in digits only, and some are 2^53 or more, where
/// double precision skips whole numbers.
[[nodiscard]] bool has_inexact_whole_numbers(const TextColumns& columns, std::size_t place,
                                             char decimal);

/// Whether a column has whole numbers such as 00459, as postal codes are.
[[nodiscard]] bool has_leading_zeros(const TextColumns& columns, std::size_t place);

/// A value of a column whose numbers all look like dates of the same form: 18.11
/// (also 18.9), 11.2026, 2026.11 or 20261118. Empty for other columns. Ten different values with
/// two different beginnings are needed, so that decimals are not taken for dates.
[[nodiscard]] std::string date_example(const TextColumns& columns, std::size_t place, char decimal);

}  // namespace lbw::cli
