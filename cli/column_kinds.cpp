// SPDX-License-Identifier: MIT
#include "cli/column_kinds.hpp"

#include <algorithm>
#include <cmath>

namespace lbw::cli {

namespace {

constexpr double least_inexact = 9007199254740992.0;  // 2^53
constexpr std::size_t n_thousands_digits = 3;

/// A cell without the spaces around it and without its sign.
std::string_view unsigned_part(std::string_view cell) {
  while (cell.starts_with(' ')) cell.remove_prefix(1);
  while (cell.ends_with(' ')) cell.remove_suffix(1);
  if (cell.starts_with('+') || cell.starts_with('-')) cell.remove_prefix(1);
  return cell;
}

bool are_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool has(std::string_view cell, char mark) { return cell.find(mark) != std::string_view::npos; }

template <typename Condition>
bool any_cell(const TextColumns& columns, std::size_t place, Condition&& condition) {
  for (std::size_t i = place; i < columns.cells.size(); i += columns.count) {
    if (condition(columns.cells[i])) return true;
  }
  return false;
}

}  // namespace

bool has_number(const TextColumns& columns, std::size_t place, char decimal) {
  return any_cell(columns, place, [decimal](std::string_view cell) {
    return csv_number(cell, decimal) || csv_boolean(cell);
  });
}

bool has_marks(const TextColumns& columns, std::size_t place, char mark) {
  const auto is_text = [mark](std::string_view cell) {
    return !cell.empty() && !csv_number(cell, mark);
  };
  return !any_cell(columns, place, is_text) &&
         any_cell(columns, place, [mark](std::string_view cell) { return has(cell, mark); });
}

bool may_have_thousands(const TextColumns& columns, std::size_t place, char mark) {
  return !any_cell(columns, place, [mark](std::string_view cell) {
    if (!has(cell, mark)) return false;
    const std::string_view text = unsigned_part(cell);
    const std::string_view first = text.substr(0, text.find(mark));
    const std::string_view last = text.substr(first.size() + 1);
    const bool are_thousands = are_digits(first) && first.size() <= n_thousands_digits &&
                               are_digits(last) && last.size() == n_thousands_digits;
    return !are_thousands;
  });
}

bool has_inexact_whole_numbers(const TextColumns& columns, std::size_t place, char decimal) {
  const auto is_other = [decimal](std::string_view cell) {
    return !are_digits(unsigned_part(cell)) && csv_number(cell, decimal);
  };
  return !any_cell(columns, place, is_other) &&
         any_cell(columns, place, [decimal](std::string_view cell) {
           return std::abs(csv_number(cell, decimal).value_or(0.0)) >= least_inexact;
         });
}

bool has_leading_zeros(const TextColumns& columns, std::size_t place) {
  return any_cell(columns, place, [](std::string_view cell) {
    const std::string_view digits = unsigned_part(cell);
    return digits.size() > 1 && digits.front() == '0' && are_digits(digits);
  });
}

}  // namespace lbw::cli
