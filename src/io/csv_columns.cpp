// SPDX-License-Identifier: MIT
#include "io/csv_columns.hpp"

#include <algorithm>
#include <charconv>
#include <lbw/suggestion.hpp>
#include <span>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "io/csv_cells.hpp"
#include "io/excerpt.hpp"

namespace lbw {

namespace {

constexpr std::size_t most_names_listed = 30;

std::optional<std::size_t> number_of_column(const std::string& text, std::size_t count) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || number < 1 || number > count) return std::nullopt;
  return number - 1;
}

void check_column_names(std::span<const std::string> names, Index line, const std::string& file) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!has_control_character(names[i])) continue;
    throw IoError(message(file, ":", line, ": the name of column ", i + 1, ", '", excerpt(names[i]),
                          "', contains a control character; rename the column"));
  }
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
  throw IoError(message(name, ": no column '", wanted, "'; ", columns_there_are(columns),
                        suggestion(wanted, columns.names)));
}

std::vector<std::size_t> features_by_default(const CsvColumns& columns) {
  std::vector<std::size_t> features;
  for (std::size_t column = 0; column < columns.count; ++column) {
    const bool is_special =
        column == columns.group || column == columns.key || column == columns.weight;
    if (!is_special) features.push_back(column);
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

/// The expected columns that the header has, in the expected order; without a header, those with
/// these numbers.
std::vector<std::size_t> found_of(const std::vector<std::string>& expected,
                                  const CsvColumns& columns, const std::string& name) {
  std::vector<std::size_t> features;
  for (const std::string& wanted : expected) {
    const bool exists =
        columns.names.empty()
            ? number_of_column(wanted, columns.count).has_value()
            : std::find(columns.names.begin(), columns.names.end(), wanted) != columns.names.end();
    if (exists) features.push_back(find_column(wanted, columns, name));
  }
  return features;
}

std::vector<std::size_t> features_of(const CsvColumns& columns, const CsvOptions& options,
                                     const std::string& name) {
  if (!options.columns.empty()) return asked_for(columns, options.columns, name);
  const std::vector<std::size_t> found = found_of(options.expected_columns, columns, name);
  return found.empty() ? features_by_default(columns) : found;
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

bool has_word(const CsvRecord& record, char decimal) {
  return std::any_of(record.cells.begin(), record.cells.end(),
                     [&](const CsvCell& cell) { return is_word(cell.text, decimal); });
}

// A small number is treated as a number: "2" must not turn the row 1,2,3 into a header.
bool is_asked_for_by_name(const std::string& wanted, const CsvRecord& first) {
  if (wanted.empty() || number_of_column(wanted, first.cells.size())) return false;
  return std::any_of(first.cells.begin(), first.cells.end(),
                     [&](const CsvCell& cell) { return cell_text(cell) == wanted; });
}

}  // namespace

// Only cells that would be read as numbers decide. A group such as "red", in a column given by
// number, is not considered.
bool is_header(const CsvRecord& first, const CsvOptions& options) {
  if (options.header != CsvHeader::detect) return options.header == CsvHeader::present;
  const std::array special = {options.group_column, options.key_column, options.weight_column};
  const auto is_named = [&](const std::string& name) { return is_asked_for_by_name(name, first); };
  if (std::ranges::any_of(special, is_named)) return true;
  if (std::ranges::any_of(options.expected_columns, is_named)) return true;
  const std::size_t count = first.cells.size();
  std::vector<bool> looked_at(count, options.columns.empty());
  for (const std::string& wanted : options.columns) {
    if (is_asked_for_by_name(wanted, first)) return true;
    const auto number = number_of_column(wanted, count);
    if (!number)
      return has_word(first, options.decimal);  // an error follows; this improves its message
    looked_at[*number] = true;
  }
  for (const std::string& wanted : special) {
    const auto number = number_of_column(wanted, count);
    if (number && options.columns.empty()) looked_at[*number] = false;
  }
  for (std::size_t column = 0; column < count; ++column) {
    const std::string_view text = first.cells[column].text;
    if (looked_at[column] && is_word(text, options.decimal)) return true;
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
    check_column_names(columns.names, first.line, name);
  }
  if (!options.group_column.empty()) {
    columns.group = find_column(options.group_column, columns, name);
  }
  if (!options.key_column.empty()) columns.key = find_column(options.key_column, columns, name);
  if (!options.weight_column.empty()) {
    columns.weight = find_column(options.weight_column, columns, name);
  }
  if (!options.all_text) columns.features = features_of(columns, options, name);
  if (options.keeps_others || options.all_text) {
    columns.others = all_but(columns.features, columns.group, columns.count);
  } else if (options.keeps_key && columns.key) {
    columns.others = {*columns.key};
  }
  if (columns.features.empty() && !options.all_text) {
    throw IoError(message(name, ": no columns except the ", columns.weight ? "weight, " : "",
                          columns.key ? "key and the group" : "group"));
  }
  return columns;
}

}  // namespace lbw
