// SPDX-License-Identifier: MIT
#include "cli/column_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <lbw/options.hpp>
#include <optional>
#include <set>

namespace lbw::cli {

namespace {

constexpr double least_inexact = 9007199254740992.0;  // 2^53
constexpr std::size_t n_thousands_digits = 3;
constexpr std::size_t longest_example = 40;
constexpr std::size_t least_dates = 10;  // ten decimals with two digits rarely all end in 01 to 12

std::string_view trimmed(std::string_view cell) {
  while (cell.starts_with(' ')) cell.remove_prefix(1);
  while (cell.ends_with(' ')) cell.remove_suffix(1);
  return cell;
}

/// A cell without the spaces around it and without its sign.
std::string_view unsigned_part(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.starts_with('+') || cell.starts_with('-')) cell.remove_prefix(1);
  return cell;
}

bool are_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool has_digit(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos;
}

/// A text in which no-break spaces can be seen.
std::string with_visible_spaces(std::string text) {
  constexpr std::string_view visible = "<no-break space>";
  for (const std::string_view space : {"\u00A0", "\u202F"}) {
    for (std::size_t at = text.find(space); at != std::string::npos; at = text.find(space, at)) {
      text.replace(at, space.size(), visible);
    }
  }
  return text;
}

bool has(std::string_view cell, char mark) { return cell.find(mark) != std::string_view::npos; }

/// Dates that are numbers too.
enum class DateForm { none, day_month, month_year, year_month, year_month_day };

bool is_between(std::string_view digits, int least, int most) {
  const std::optional<int> number = number_from<int>(digits);
  return are_digits(digits) && number && *number >= least && *number <= most;
}

bool is_day(std::string_view text) { return text.size() <= 2 && is_between(text, 1, 31); }
bool is_month(std::string_view text) { return text.size() <= 2 && is_between(text, 1, 12); }
bool is_year(std::string_view text) { return text.size() == 4 && is_between(text, 1900, 2099); }

/// 18.11 or 18.1, 11.2026, 2026.11, 20261118
DateForm date_form(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) {
    const bool is_date = text.size() == 8 && is_year(text.substr(0, 4)) &&
                         is_month(text.substr(4, 2)) && is_day(text.substr(6));
    return is_date ? DateForm::year_month_day : DateForm::none;
  }
  const std::string_view first = text.substr(0, point);
  const std::string_view second = text.substr(point + 1);
  if (is_day(first) && is_month(second)) return DateForm::day_month;
  if (is_month(first) && is_year(second)) return DateForm::month_year;
  return is_year(first) && is_month(second) ? DateForm::year_month : DateForm::none;
}

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

std::string_view number_with_thousands(const TextColumns& columns, std::size_t place, char mark) {
  std::string_view found;
  const bool has_text = any_cell(columns, place, [&](std::string_view cell) {
    const bool has_thousands = has_thousands_separators(cell);
    if (has_thousands && found.empty()) found = cell;
    return has_digit(cell) && !has_thousands && !csv_number(cell, mark);
  });
  return has_text ? std::string_view() : found;
}

std::string example_with_digit(const TextColumns& columns, std::size_t place) {
  std::string_view found;
  (void)any_cell(columns, place, [&](std::string_view cell) {
    const bool is_shown = has_digit(cell) && cell.size() <= longest_example &&
                          cell.find_first_of("\t\r\n") == std::string_view::npos &&
                          !has_control_character(cell);
    if (is_shown) found = cell;
    return is_shown;
  });
  return with_visible_spaces(std::string(found));
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

std::string date_example(const TextColumns& columns, std::size_t place, char decimal) {
  std::set<std::string_view> values;
  std::set<std::string_view> beginnings;
  std::set<DateForm> forms;
  bool has_long_month = false;
  (void)any_cell(columns, place, [&](std::string_view cell) {
    if (!csv_number(cell, decimal)) return false;  // missing
    const std::string_view text = trimmed(cell);
    const std::string_view beginning = text.substr(0, text.find('.'));
    forms.insert(date_form(text));
    values.insert(text);
    beginnings.insert(beginning);
    has_long_month = has_long_month || text.size() - beginning.size() != 2;
    return forms.size() > 1 || forms.contains(DateForm::none);
  });
  const bool are_dates = forms.size() == 1 && !forms.contains(DateForm::none) &&
                         values.size() >= least_dates && beginnings.size() > 1 && has_long_month;
  return are_dates ? std::string(*values.begin()) : "";
}

}  // namespace lbw::cli
