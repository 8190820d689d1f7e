// SPDX-License-Identifier: MIT
#include "cli/grouped_table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <lbw/options.hpp>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cli/column_kinds.hpp"
#include "cli/command_line.hpp"
#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/read_table.hpp"
#include "cli/text.hpp"
#include "cli/text_table.hpp"

namespace lbw::cli {

namespace {

LabelKind kind_of(const std::vector<std::string>& labels) {
  LabelKind kind = LabelKind::whole_numbers;
  for (const std::string& label : labels) {
    const std::optional<double> number = csv_number(label);
    if (!number) return LabelKind::text;
    if (*number != std::floor(*number)) kind = LabelKind::fractions;
  }
  return kind;
}

/// Rejects a continuous column as groups.
void check_number_of_groups(const std::vector<std::string>& groups, std::size_t n_rows,
                            const std::string& place) {
  const LabelKind kind = kind_of(groups);
  const Index limit = max_groups(kind, static_cast<Index>(n_rows));
  if (std::ssize(groups) <= limit) return;
  throw InvalidArgument(
      "--protected: " + place + " has " + to_text(groups.size()) + " distinct values in " +
      counted(n_rows, "row") + ", too many to be groups (at most " + to_text(limit) +
      "). Give a column of categories or bin the values first" +
      (kind == LabelKind::text
           ? ""
           : "; if these numbers are categories, write them as text such as 'site 12'"));
}

std::vector<std::string> joined_labels(const GroupedTable& grouped) {
  if (grouped.protected_cells.size() == 1) return grouped.protected_cells.front();
  std::vector<std::string> labels(grouped.protected_cells.front().size());
  for (std::size_t c = 0; c < grouped.protected_cells.size(); ++c) {
    for (std::size_t row = 0; row < labels.size(); ++row) {
      labels[row] +=
          (c == 0 ? "" : ", ") + grouped.protected_names[c] + "=" + grouped.protected_cells[c][row];
    }
  }
  return labels;
}

/// Rejects numbers such as 11,883.43, which no decimal mark explains.
void refuse_thousands(const TextTable& text, std::size_t place, const std::string& column) {
  const std::string_view number = number_with_thousands(text.columns, place, text.other_mark());
  if (number.empty()) return;
  throw InvalidArgument(text.path + ": the numbers of " + column +
                        " have thousands separators, such as " + std::string(number) +
                        "; remove them, or name the column in --except if it is text");
}

/// Rejects a column whose numbers would be wrong or missing in the repair.
void check_notation(const TextTable& text, std::size_t place, bool is_numeric) {
  const std::string column = "column '" + text.spoken_name(place) + "'";
  if (is_numeric && has_inexact_whole_numbers(text.columns, place, text.decimal)) {
    throw InvalidArgument(text.path + ": " + column +
                          " has whole numbers of 2^53 or more, which double precision rounds, and "
                          "looks like an identifier; name it in --except, or name the columns to "
                          "repair with --columns");
  }
  const bool is_text = text.quoted_is_text && text.columns.has_quotes[place];
  if (is_numeric || is_text) return;
  if (!has_marks(text.columns, place, text.other_mark())) {
    refuse_thousands(text, place, column);
    return;
  }
  const bool is_comma = text.other_mark() == ',';
  const std::string marks = is_comma ? "decimal commas" : "decimal points";
  const std::string notation = is_comma ? "add --decimal comma" : "omit --decimal comma";
  const bool may_be_thousands = may_have_thousands(text.columns, place, text.other_mark());
  throw InvalidArgument(text.path + ": the numbers of " + column + " have " + marks +
                        (may_be_thousands ? " or thousands separators" : "") + "; " + notation +
                        (may_be_thousands ? ", remove thousands separators" : "") +
                        ", or name the column in --except if it is text");
}

/// Notes columns whose numbers may be codes or dates.
void note_kind(const TextTable& text, std::size_t place, GroupedTable& grouped) {
  const std::string name = text.spoken_name(place);
  const std::string date = date_example(text.columns, place, text.decimal);
  if (!date.empty()) {
    grouped.date_columns.push_back("'" + shortened(name) + "' (for example " + date + ")");
  } else if (has_leading_zeros(text.columns, place)) {
    grouped.code_columns.push_back(name);
  }
}

/// The columns to repair: the requested ones, or all others that contain a number.
std::vector<std::size_t> feature_places(const TextTable& text, const ColumnWishes& wishes,
                                        const std::vector<std::string>& options,
                                        const std::vector<std::size_t>& taken,
                                        GroupedTable& grouped) {
  const std::vector<std::size_t> except = text.find_all(wishes.except, "--except");
  enum class Role : char { none, feature, protected_or_key, excepted };
  std::vector<Role> roles(text.columns.count, Role::none);
  for (const std::size_t place : taken) roles[place] = Role::protected_or_key;
  for (const std::size_t place : except) roles[place] = Role::excepted;
  std::vector<std::size_t> places;
  if (!wishes.features.empty()) {
    for (std::size_t i = 0; i < wishes.features.size(); ++i) {
      const std::string& option = options[std::min(i, options.size() - 1)];
      const std::size_t place = text.find(wishes.features[i], option);
      const Role before = std::exchange(roles[place], Role::feature);
      if (before == Role::feature) {
        throw UsageError(option + " names the column '" + text.spoken_name(place) + "' twice");
      }
      places.push_back(place);
      if (before == Role::none) continue;
      throw UsageError(option + " names '" + text.spoken_name(place) + "', which is also " +
                       (before == Role::excepted ? "in --except" : "protected or the key") +
                       "; a column has one role");
    }
    return places;
  }
  for (std::size_t place = 0; place < text.columns.count; ++place) {
    if (roles[place] != Role::none) continue;
    const bool is_numeric = text.is_numeric(place);
    check_notation(text, place, is_numeric);
    if (!is_numeric) {
      grouped.text_columns.push_back(text.spoken_name(place));
      grouped.text_examples.push_back(example_with_digit(text.columns, place));
      continue;
    }
    places.push_back(place);
    note_kind(text, place, grouped);
  }
  if (places.empty()) {
    throw InvalidArgument(text.path + " has no column of numbers besides the protected ones" +
                          (wishes.except.empty() ? "" : " and those of --except") +
                          ", so there is nothing to repair");
  }
  return places;
}

std::vector<std::string> without_empty(std::vector<std::string> labels) {
  std::erase(labels, "");
  return labels;
}

/// Rows with a missing feature or group belong to no group, and their features are NaN.
void forget_incomplete_rows(GroupedTable& grouped) {
  for (std::size_t row = 0; row < grouped.labels.size(); ++row) {
    auto features = grouped.table.values.row(static_cast<Index>(row));
    const bool has_groups = std::ranges::none_of(
        grouped.protected_cells, [row](const auto& cells) { return cells[row].empty(); });
    if (has_groups && features.allFinite()) continue;
    features.setConstant(std::numeric_limits<double>::quiet_NaN());
    grouped.labels[row].clear();
  }
}

void check_labels(const TextTable& text, std::size_t place, const std::vector<std::string>& cells) {
  const auto empty = std::ranges::find(cells, "");
  if (empty == cells.end()) return;
  throw InvalidArgument(text.path + ": the protected column '" + text.spoken_name(place) +
                        "' is empty in row " + to_text(empty - cells.begin() + 1) +
                        "; give every row a group, for example 'unknown', or leave such rows out "
                        "with --missing skip");
}

/// The reader of numbers checks the first protected column, and this all others.
void check_characters(const GroupedTable& grouped, const std::string& path) {
  for (std::size_t c = 1; c < grouped.protected_cells.size(); ++c) {
    const std::vector<std::string>& cells = grouped.protected_cells[c];
    const auto check = [&](auto fits, const std::string& problem, const std::string& advice) {
      const auto row = std::ranges::find_if_not(cells, fits) - cells.begin();
      if (row == std::ssize(cells)) return;
      throw IoError(path + ": the protected column '" + grouped.protected_names[c] + "' " +
                    problem + " in row " + to_text(row + 1) + "; " + advice);
    };
    check(std::not_fn(has_control_character), "contains a control character", "remove it");
    check(is_utf8, "is not UTF-8", "convert the file, for example with iconv -f latin1 -t utf-8");
  }
}

/// Rejects a value that looks like the next column in a joint label, so that groups could be
/// joined.
void check_joint_labels(const GroupedTable& grouped, const std::string& path) {
  for (std::size_t next = 1; next < grouped.protected_names.size(); ++next) {
    const std::string mark = ", " + grouped.protected_names[next] + "=";
    for (std::size_t c = 0; c < grouped.protected_cells.size(); ++c) {
      const std::vector<std::string>& cells = grouped.protected_cells[c];
      const auto found = std::ranges::find_if(
          cells, [&](const std::string& cell) { return cell.find(mark) != std::string::npos; });
      if (found == cells.end()) continue;
      throw InvalidArgument(path + ": the protected column '" + grouped.protected_names[c] +
                            "' has the value '" + shortened(*found) + "', which contains '" + mark +
                            "' and would make labels of groups ambiguous; rename the column or the "
                            "value");
    }
  }
}

/// The groups are those of the first reading, and the numbers those of the second.
void check_same_rows(const GroupedTable& grouped, const std::string& path) {
  const std::vector<std::string>& before = grouped.protected_cells.front();
  const std::vector<std::string>& now = grouped.table.groups;
  const bool are_same =
      std::ranges::equal(before, now, [](const std::string& cell, const std::string& group) {
        return cell == group || group.empty();
      });
  if (are_same) return;
  throw IoError("cannot read '" + path +
                "': the file changed while it was used. Repeat this when no other program writes "
                "to it");
}

/// Reads the numbers. A message on a column of text names the options that choose the columns.
Table read_numbers(const RepeatedInput& input, const std::string& path, const CsvOptions& csv,
                   const std::vector<std::string>& options, const Say& say) {
  try {
    return checked_table(input.read(csv), spoken_path(path), say);
  } catch (const IoError& error) {
    constexpr std::string_view advice = "choose other columns with --columns, or ";
    std::string text = error.what();
    const std::size_t at = text.rfind(advice);
    if (at == std::string::npos || options.front() == "--columns") throw;
    std::string typed;
    for (const std::string& option : options) typed += (typed.empty() ? "" : " or ") + option;
    const bool can_choose = typed != "--model";
    text.replace(at, advice.size(),
                 can_choose ? "choose another column with " + typed + ", or " : "");
    throw IoError(text);
  }
}

}  // namespace

bool are_whole_numbers(const std::vector<std::string>& labels) {
  return std::ranges::all_of(labels, [](const std::string& label) {
    const auto number = number_from<std::int64_t>(label);
    return number && to_text(*number) == label;
  });
}

std::vector<std::string> distinct_labels(const std::vector<std::string>& labels) {
  const std::unordered_set<std::string> set(labels.begin(), labels.end());
  std::vector<std::string> distinct(set.begin(), set.end());
  std::ranges::sort(distinct);
  if (kind_of(distinct) != LabelKind::text) {
    std::ranges::stable_sort(distinct, {},
                             [](const std::string& text) { return *csv_number(text); });
  }
  return distinct;
}

std::vector<int> GroupedTable::codes(const std::vector<std::string>& names) const {
  std::unordered_map<std::string, int> places;
  for (std::size_t i = 0; i < names.size(); ++i) places[names[i]] = static_cast<int>(i);
  std::vector<int> codes;
  for (const std::string& label : labels) {
    const auto found = places.find(label);
    codes.push_back(found == places.end() ? -1 : found->second);
  }
  return codes;
}

GroupedTable read_grouped_table(const std::string& path, CsvOptions csv, const ColumnWishes& wishes,
                                const Say& say, const std::vector<std::string>& feature_options) {
  const EndAtOnce waiting;
  const RepeatedInput input(path);
  const TextTable text = read_text_table(input, path, csv, wishes, say);
  GroupedTable grouped;
  std::vector<std::size_t> taken = text.find_all(wishes.protected_columns, wishes.protected_option);
  for (const std::size_t place : taken) {
    grouped.protected_names.push_back(text.spoken_name(place));
    grouped.protected_cells.push_back(text.columns.column(place));
    if (csv.missing == MissingValues::error) {
      check_labels(text, place, grouped.protected_cells.back());
    }
    check_number_of_groups(distinct_labels(without_empty(grouped.protected_cells.back())),
                           grouped.protected_cells.back().size(),
                           "column '" + grouped.protected_names.back() + "'");
  }
  csv.group_column = text.reference(taken.front());
  if (!csv.key_column.empty()) {
    taken.push_back(text.find(csv.key_column, wishes.key_option));
    csv.key_column = text.reference(taken.back());
    grouped.key_name = text.spoken_name(taken.back());
    grouped.key_place = taken.back();
  }
  csv.columns.clear();
  for (const std::size_t place : feature_places(text, wishes, feature_options, taken, grouped)) {
    csv.columns.push_back(text.reference(place));
    grouped.feature_labels.push_back(text.spoken_name(place));
  }
  csv.header = text.has_header ? CsvHeader::present : CsvHeader::absent;
  csv.keeps_others = true;
  if (csv.missing == MissingValues::skip) csv.missing = MissingValues::keep;
  grouped.table = read_numbers(input, path, csv, feature_options, say);
  check_same_rows(grouped, text.path);
  check_characters(grouped, text.path);
  check_joint_labels(grouped, text.path);
  grouped.labels = joined_labels(grouped);
  forget_incomplete_rows(grouped);
  grouped.groups = distinct_labels(without_empty(grouped.labels));
  if (grouped.groups.empty()) {
    throw InvalidArgument(text.path + ": all rows have missing values, so none is left");
  }
  check_number_of_groups(grouped.groups, grouped.labels.size(),
                         "the combination of " + quoted_list(grouped.protected_names));
  return grouped;
}

}  // namespace lbw::cli
