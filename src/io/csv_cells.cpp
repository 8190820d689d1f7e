// SPDX-License-Identifier: MIT
#include "io/csv_cells.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <lbw/io.hpp>

namespace lbw {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return text.size() <= 9 && std::ranges::find(words, in_lower_case(text)) != words.end();
}

std::string_view without_sign(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return text;
}

/// Removes the digits at the beginning and returns their number.
std::size_t take_digits(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  const auto count = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(count);
  return count;
}

/// The mark after the first digits that may separate thousands; empty if there is none.
std::string_view thousands_mark(std::string_view text) {
  // the last ones are a typographic apostrophe, a no-break space and a narrow no-break space
  for (const std::string_view mark : {",", ".", "'", " ", "\u2019", "\u00A0", "\u202F"}) {
    if (text.starts_with(mark)) return mark;
  }
  return {};
}

bool has_several_numbers(std::string_view text) {
  const std::size_t at = text.find_first_of(" \t");
  return at != std::string_view::npos && csv_number(text.substr(0, at)) &&
         csv_number(text.substr(text.find_last_of(" \t") + 1));
}

bool is_infinite(std::string_view text) {
  return is_one_of(without_sign(text), {"inf", "infinity", "1.#inf"});
}

}  // namespace

std::string_view without_spaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<double> csv_number(std::string_view text, char decimal) {
  text = without_spaces(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  std::array<char, 64> copy = {};
  if (decimal != '.') {
    if (text.size() > copy.size() || text.find('.') != std::string_view::npos) return std::nullopt;
    std::ranges::replace_copy(text, copy.begin(), decimal, '.');
    text = {copy.data(), text.size()};
  }
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_rounded_whole_number(std::string_view text, double value) {
  constexpr double least = 9007199254740992.0;  // 2^53
  if (std::abs(value) < least) return false;
  text = without_sign(without_spaces(text));
  while (text.starts_with('0')) text.remove_prefix(1);
  if (!std::ranges::all_of(text, is_digit)) return false;
  std::array<char, 400> exact = {};
  const auto [end, error] = std::to_chars(exact.data(), exact.data() + exact.size(),
                                          std::abs(value), std::chars_format::fixed, 0);
  return error != std::errc() || text != std::string_view(exact.data(), end);
}

std::optional<double> csv_boolean(std::string_view text) {
  if (text == "True" || text == "true" || text == "TRUE") return 1.0;
  if (text == "False" || text == "false" || text == "FALSE") return 0.0;
  return std::nullopt;
}

bool has_thousands_separators(std::string_view text) {
  text = without_sign(without_spaces(text));
  const std::size_t n_first = take_digits(text);
  const std::string_view separator = thousands_mark(text);
  if (n_first < 1 || n_first > 3 || separator.empty()) return false;
  int n_groups = 0;
  while (text.starts_with(separator)) {
    text.remove_prefix(separator.size());
    if (take_digits(text) != 3) return false;
    ++n_groups;
  }
  const bool has_mark = text.starts_with('.') || text.starts_with(',');
  if (has_mark) text.remove_prefix(1);
  take_digits(text);
  return text.empty() && (n_groups > 1 || has_mark || separator != ".");
}

bool is_missing(std::string_view text) {
  return is_one_of(text, {"", "?", "na", "n/a", "#n/a", "<na>", "nan", "-nan", "null", "none"});
}

bool is_word(std::string_view text, char decimal) {
  return !csv_number(text, decimal) && !csv_boolean(text) && !is_missing(text) &&
         !is_infinite(text) && !has_decimal_comma(text) && !has_thousands_separators(text) &&
         !has_several_numbers(text);
}

bool has_decimal_comma(std::string_view text) {
  const std::size_t at = text.find(',');
  return at != std::string_view::npos && at > 0 && at + 1 < text.size() && is_digit(text[at - 1]) &&
         is_digit(text[at + 1]) && csv_number(text, ',');
}

std::string advice_on(std::string_view text, char delimiter, char decimal) {
  const bool has_comma = decimal != ',' && has_decimal_comma(text);
  const bool has_parts = delimiter != any_whitespace && has_several_numbers(text);
  const std::string by_spaces = "if spaces separate the cells, use the option delimiter=whitespace";
  const std::string by_comma =
      delimiter == ',' ? "write decimal points, or separate cells by semicolons and use the option "
                         "decimal=','"
                       : "if the comma is a decimal mark, use the option decimal=','";
  if (has_thousands_separators(text)) {
    const std::string advice = "remove thousands separators";
    if (has_parts) return advice + "; " + by_spaces;
    return has_comma ? advice + "; " + by_comma : advice;
  }
  if (has_comma) return by_comma;
  if (decimal == ',' && csv_number(text)) {
    return "it has a decimal point, but the option decimal=',' expects a comma";
  }
  if (text.find(';') != std::string_view::npos && delimiter == ',') {
    return "if semicolons separate the cells, use the option delimiter=';'";
  }
  if (has_parts) return by_spaces;
  if (is_infinite(text)) return "replace infinite values, or leave their rows out";
  if (is_one_of(text, {"yes", "no", "y", "n", "t", "f"})) return "write 1 and 0, or True and False";
  return "exclude columns of text, or convert them to numbers";
}

}  // namespace lbw
