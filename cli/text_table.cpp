// SPDX-License-Identifier: MIT
#include "cli/text_table.hpp"

#include <cstdint>
#include <lbw/options.hpp>
#include <string_view>
#include <unordered_set>

#include "cli/column_kinds.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

bool TextTable::is_numeric(std::size_t place) const {
  if (quoted_is_text && columns.has_quotes[place]) return false;
  return has_number(columns, place, decimal);
}

bool TextTable::may_name_another(const std::string& wanted, std::size_t number) const {
  if (has_header || !is_detected) return false;
  std::unordered_set<std::string_view> seen;
  std::size_t named = number - 1;
  for (std::size_t place = 0; place < columns.count; ++place) {
    const std::string_view cell = columns.cells[place];
    if (!number_from<std::uint32_t>(cell) || !seen.insert(cell).second) return false;
    if (cell == wanted) named = place;
  }
  if (named == number - 1) return false;
  for (std::size_t i = named + columns.count; i < columns.cells.size(); i += columns.count) {
    if (columns.cells[i] == wanted) return false;
  }
  return true;
}

std::size_t TextTable::find(const std::string& wanted, const std::string& option) const {
  const std::size_t count = columns.names.count(wanted);
  if (has_header && count == 1) return columns.names.find(wanted);
  const auto number = number_from<std::size_t>(wanted);
  const bool is_number = count == 0 && number && *number >= 1 && *number <= columns.count;
  if (is_number && has_header && is_detected) {
    throw UsageError(option + " is the number " + wanted + ", but the first line of " + path +
                     " looks like column names; add --header if it has names, or --no-header if "
                     "it is data");
  }
  if (is_number && may_name_another(wanted, *number)) {
    throw UsageError(
        option + " is " + wanted + ", which the first line of " + path +
        " contains in another column. It consists of different whole numbers, "
        "which may be column names; add --header if it has names, or --no-header if it is data");
  }
  if (is_number) return *number - 1;
  if (!has_header) {
    throw UsageError(option + " names '" + wanted + "', but " + path +
                     " has no header; its columns are 1 to " + to_text(columns.count));
  }
  if (count > 1) {
    throw UsageError(option + ": " + to_text(count) + " columns of " + path + " are named '" +
                     wanted + "'; give the number of one of them, counted from 1, and --header");
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < columns.count; ++i) names.emplace_back(columns.name(i));
  throw UsageError(option + ": " + path + " has no column '" + wanted + "'; its columns are " +
                   quoted_list(names) + suggestion(wanted, names));
}

std::vector<std::size_t> TextTable::find_all(const std::vector<std::string>& wanted,
                                             const std::string& option) const {
  std::vector<std::size_t> places;
  std::unordered_set<std::size_t> found;
  for (const std::string& name : wanted) {
    places.push_back(find(name, option));
    if (found.insert(places.back()).second) continue;
    throw UsageError(option + " names the column '" + name + "' twice");
  }
  return places;
}

std::string TextTable::reference(std::size_t place) const {
  const std::string_view name = columns.name(place);
  const bool is_unique = has_header && !name.empty() && columns.names.count(name) == 1;
  return is_unique ? std::string(name) : to_text(place + 1);
}

std::string TextTable::spoken_name(std::size_t place) const {
  return columns.name(place).empty() ? to_text(place + 1) : std::string(columns.name(place));
}

TextTable read_text_table(const RepeatedInput& input, const std::string& path, CsvOptions csv,
                          const ColumnWishes& wishes, const Say& say) {
  csv.all_text = true;
  // a first line with these names is a header, also if it contains numbers
  csv.expected_columns = wishes.protected_columns;
  for (const auto* names : {&wishes.features, &wishes.except}) {
    csv.expected_columns.insert(csv.expected_columns.end(), names->begin(), names->end());
  }
  csv.columns.clear();
  csv.group_column.clear();
  csv.key_column.clear();
  TextTable text{.columns = {}, .path = spoken_path(path)};
  text.columns = checked_table(input.read(csv), text.path, say).others;
  text.columns.names.prepare_search();
  text.has_header = text.columns.names.count("") < text.columns.names.size();
  text.is_detected = csv.header == CsvHeader::detect;
  text.decimal = csv.decimal;
  text.quoted_is_text = csv.quoted_is_text;
  return text;
}

}  // namespace lbw::cli
