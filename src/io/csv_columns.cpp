// SPDX-License-Identifier: MIT
#include "io/csv_columns.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "core/indexing.hpp"
#include "core/message.hpp"

namespace lbw {

namespace {

constexpr std::size_t most_names_listed = 30;

// Cells that represent a missing number. They do not make the first line a header; otherwise a row
// would be lost silently.
bool is_missing(std::string_view text) {
  constexpr std::array words = {"", "?", "na", "n/a", "nan", "null", "inf", "-inf", "+inf"};
  std::string lower(text.substr(0, 8));
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::find(words.begin(), words.end(), lower) != words.end();
}

std::optional<std::size_t> number_of_column(const std::string& text, std::size_t count) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || number < 1 || number > count) return std::nullopt;
  return number - 1;
}

std::string columns_there_are(const CsvColumns& columns) {
  if (columns.names.empty()) {
    return message("the file has no header, its columns are 1 to ", columns.count);
  }
  const std::span<const std::string> all(columns.names);
  const std::size_t listed = std::min(all.size(), most_names_listed);
  const std::size_t others = all.size() - listed;
  const std::string list = quoted_list(all.first(listed));
  return message("the columns are ", list, others ? message(" and ", others, " more") : "");
}

std::size_t find_column(const std::string& wanted, const CsvColumns& columns,
                        const std::string& name) {
  const auto same_name = std::count(columns.names.begin(), columns.names.end(), wanted);
  if (same_name > 1) {
    throw IoError(message(name, ": ", counted(same_name, "column"), " are named '", wanted,
                          "'; select one by its number, counted from 1"));
  }
  if (same_name == 1) {
    const auto found = std::find(columns.names.begin(), columns.names.end(), wanted);
    return to_size(found - columns.names.begin());
  }
  if (const auto number = number_of_column(wanted, columns.count)) return *number;
  throw IoError(message(name, ": no column '", wanted, "'; ", columns_there_are(columns)));
}

std::vector<std::size_t> all_but_group_and_key(const CsvColumns& columns) {
  std::vector<std::size_t> features;
  for (std::size_t column = 0; column < columns.count; ++column) {
    if (column != columns.group && column != columns.key) features.push_back(column);
  }
  return features;
}

std::vector<std::size_t> asked_for(const CsvColumns& columns,
                                   const std::vector<std::string>& wanted,
                                   const std::string& name) {
  std::vector<std::size_t> features;
  std::vector<bool> taken(columns.count);
  for (const std::string& column : wanted) {
    features.push_back(find_column(column, columns, name));
    if (taken[features.back()]) {
      throw IoError(message(name, ": column '", column, "' is selected twice"));
    }
    taken[features.back()] = true;
  }
  return features;
}

/// The expected columns that the header has, in the expected order.
std::vector<std::size_t> found_of(const std::vector<std::string>& expected,
                                  const CsvColumns& columns, const std::string& name) {
  std::vector<std::size_t> features;
  for (const std::string& wanted : expected) {
    const bool exists =
        std::find(columns.names.begin(), columns.names.end(), wanted) != columns.names.end();
    if (exists) features.push_back(find_column(wanted, columns, name));
  }
  return features;
}

std::vector<std::size_t> features_of(const CsvColumns& columns, const CsvOptions& options,
                                     const std::string& name) {
  if (!options.columns.empty()) return asked_for(columns, options.columns, name);
  const std::vector<std::size_t> found = found_of(options.expected_columns, columns, name);
  return found.empty() ? all_but_group_and_key(columns) : found;
}

std::vector<std::size_t> all_but(const std::vector<std::size_t>& features,
                                 std::optional<std::size_t> group, std::size_t count) {
  std::vector<std::size_t> others;
  for (std::size_t column = 0; column < count; ++column) {
    const bool is_feature = std::find(features.begin(), features.end(), column) != features.end();
    if (!is_feature && column != group) others.push_back(column);
  }
  return others;
}

bool is_word(std::string_view text) { return !parse_number(text) && !is_missing(text); }

bool has_word(const CsvRecord& record) {
  return std::any_of(record.cells.begin(), record.cells.end(),
                     [](const CsvCell& cell) { return is_word(cell.text); });
}

// A small number is treated as a number: "2" must not turn the row 1,2,3 into a header.
bool is_asked_for_by_name(const std::string& wanted, const CsvRecord& first) {
  if (wanted.empty() || number_of_column(wanted, first.cells.size())) return false;
  return std::any_of(first.cells.begin(), first.cells.end(),
                     [&](const CsvCell& cell) { return cell_text(cell) == wanted; });
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Only cells that would be read as numbers decide. A group such as "red", in a column given by
// number, is not considered.
bool is_header(const CsvRecord& first, const CsvOptions& options) {
  if (options.header != CsvHeader::detect) return options.header == CsvHeader::present;
  if (is_asked_for_by_name(options.group_column, first)) return true;
  if (is_asked_for_by_name(options.key_column, first)) return true;
  const auto is_named = [&](const std::string& name) { return is_asked_for_by_name(name, first); };
  if (std::ranges::any_of(options.expected_columns, is_named)) return true;
  const std::size_t count = first.cells.size();
  std::vector<bool> looked_at(count, options.columns.empty());
  for (const std::string& wanted : options.columns) {
    if (is_asked_for_by_name(wanted, first)) return true;
    const auto number = number_of_column(wanted, count);
    if (!number) return has_word(first);  // an error follows; this improves its message
    looked_at[*number] = true;
  }
  for (const std::string& wanted : {options.group_column, options.key_column}) {
    const auto number = number_of_column(wanted, count);
    if (number && options.columns.empty()) looked_at[*number] = false;
  }
  for (std::size_t column = 0; column < count; ++column) {
    const std::string_view text = first.cells[column].text;
    if (looked_at[column] && is_word(text)) return true;
  }
  return false;
}

CsvColumns choose_columns(const CsvRecord& first, bool has_header, const CsvOptions& options,
                          const std::string& name) {
  CsvColumns columns;
  columns.count = first.cells.size();
  columns.first_line = first.line;
  if (has_header) {
    for (const CsvCell& cell : first.cells) columns.names.push_back(cell_text(cell));
  }
  if (!options.group_column.empty()) {
    columns.group = find_column(options.group_column, columns, name);
  }
  if (!options.key_column.empty()) columns.key = find_column(options.key_column, columns, name);
  columns.features = features_of(columns, options, name);
  if (options.keeps_others) {
    columns.others = all_but(columns.features, columns.group, columns.count);
  }
  if (columns.features.empty()) {
    throw IoError(
        message(name, ": no columns except the ", columns.key ? "key and the group" : "group"));
  }
  return columns;
}

}  // namespace lbw
