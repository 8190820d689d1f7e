// SPDX-License-Identifier: MIT
#include "cli/input.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <lbw/io.hpp>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>
#include <unordered_map>
#include <unordered_set>

#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/read_table.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

NamedPath named_path(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  // a directory such as k=3/a.csv is not a name
  if (equals != std::string::npos && argument.find('/') > equals) {
    return {argument.substr(0, equals), argument.substr(equals + 1)};
  }
  if (argument == "-") return {"stdin", argument};
  const std::filesystem::path name = std::filesystem::path(argument).stem();
  return {(is_compressed(argument) ? name.stem() : name).string(), argument};
}

constexpr double largest_magnitude = 1e100;  // of samples, in the library

constexpr const char* columns_note = "columns";  // of a model without names: their numbers

/// Warns about rows that are left out.
void say_skipped(const Table& table, const std::string& path, const Say& say) {
  if (table.n_skipped_rows == 0) return;
  say("warning: " + path + ": " + to_text(table.n_skipped_rows) + " of " +
      counted(table.values.rows() + table.n_skipped_rows, "row") +
      (table.n_skipped_rows == 1 ? " has" : " have") + " missing values and " +
      (table.n_skipped_rows == 1 ? "is" : "are") + " left out");
}

/// A header of numbers would be a row of the table.
void say_header(const Table& table, const std::string& path, const Say& say) {
  if (!table.may_have_header) return;
  say("warning: " + path +
      ": the first line consists of consecutive whole numbers and is read as data; add --header if "
      "it has the names of the columns, or --no-header to read it as data without this warning");
}

/// Spaces around labels are part of them, but easily overlooked.
void say_spaces_of_labels(const Table& table, const std::string& path, const Say& say) {
  const auto has_spaces = [](const std::string& label) {
    return label.starts_with(' ') || label.ends_with(' ');
  };
  const auto found = std::ranges::find_if(table.groups, has_spaces);
  if (found == table.groups.end()) return;
  say(path + ": the group '" + *found + "' begins or ends with spaces, which belong to its name");
}

Input npy_input(const std::string& path, const CsvOptions& options) {
  if (!options.group_column.empty() || !options.columns.empty()) {
    throw UsageError("--columns and --group-column need CSV, " + path + " has no column names");
  }
  if (!options.key_column.empty()) {
    throw UsageError("--key needs CSV, " + path + " has no column names");
  }
  if (!options.weight_column.empty()) {
    throw UsageError("--weight-column needs CSV, " + path + " has no column names");
  }
  if (options.delimiter != '\0' || options.decimal != '.' || options.header != CsvHeader::detect ||
      options.quoted_is_text) {
    throw UsageError("--delimiter, --decimal, --header, --no-header and --quoted-text need CSV, " +
                     path + " is NPY");
  }
  if (options.missing != MissingValues::error) {
    throw UsageError("--missing needs CSV, " + path + " is NPY; remove rows with NaN first");
  }
  return {.npy = std::make_unique<NpySamples>(path)};
}

std::vector<std::string> missing_from(const std::vector<std::string>& names,
                                      const std::vector<std::string>& wanted) {
  const std::unordered_set<std::string> known(names.begin(), names.end());
  std::vector<std::string> missing;
  for (const std::string& name : wanted) {
    if (!known.contains(name)) missing.push_back(name);
  }
  return missing;
}

/// Columns are distinguished by their names.
void check_distinct(const std::vector<std::string>& names, const std::string& path) {
  std::unordered_set<std::string_view> known;
  for (const std::string& name : names) {
    if (known.insert(name).second) continue;
    throw InvalidArgument(path + ": two columns are named '" + shortened(name) +
                          "', expected distinct names; rename one or exclude it with --columns");
  }
}

std::string columns(const std::vector<std::string>& names) {
  return (names.size() == 1 ? "column " : "columns ") + quoted_list(names);
}

void check_names(const ExpectedColumns& expected, const Table& table, const std::string& path) {
  check_distinct(table.feature_names, path);
  const std::vector<std::string> missing = missing_from(table.feature_names, expected.names);
  if (!missing.empty()) {
    std::vector<std::string> others;
    for (std::size_t i = 0; i < table.others.names.size(); ++i) {
      others.emplace_back(table.others.names[i]);
    }
    std::vector<std::string> names = table.feature_names;
    const bool are_chosen = missing_from(others, missing).size() < missing.size();  // by --columns
    if (!are_chosen) names.insert(names.end(), others.begin(), others.end());
    throw InvalidArgument(path + " does not have the " + columns(missing) + " of " +
                          expected.owner + " among its feature columns " + quoted_list(names));
  }
  const std::vector<std::string> unknown = missing_from(expected.names, table.feature_names);
  if (!unknown.empty()) {
    constexpr std::size_t longest_advice = 3000;
    const std::string list = list_text(expected.names);
    throw InvalidArgument(
        path + " has " + (unknown.size() == 1 ? "an unexpected " : "unexpected ") +
        columns(unknown) + " (" + expected.owner + " has " + quoted_list(expected.names) +
        "); choose with --columns" + (list.size() > longest_advice ? "" : " " + list));
  }
}

/// Notes that columns were not matched by name if only one side has names.
void say_unchecked_names(const ExpectedColumns& expected, const Table& table,
                         const std::string& path, const Say& say) {
  const bool named = !table.feature_names.empty();
  if (named != expected.names.empty()) return;
  say((named ? expected.owner : path) + " has no column names, so the names of " +
      (named ? path : expected.owner) +
      " could not be checked; its columns are used in the order " +
      quoted_list(named ? table.feature_names : expected.names));
}

LabelKind kind_of(const std::unordered_set<std::string>& labels) {
  LabelKind kind = LabelKind::whole_numbers;
  for (const std::string& label : labels) {
    const std::optional<double> number = number_from<double>(label);
    if (!number || !std::isfinite(*number)) return LabelKind::text;
    if (*number != std::floor(*number)) kind = LabelKind::fractions;
  }
  return kind;
}

/// Rejects a continuous column as groups, whose fit would take hours.
void check_number_of_groups(const std::vector<NamedInput>& files, const std::string& column) {
  std::unordered_set<std::string> labels;
  Index n_rows = 0;
  for (const NamedInput& file : files) {
    labels.insert(file.input.table.groups.begin(), file.input.table.groups.end());
    n_rows += static_cast<Index>(file.input.table.groups.size());
  }
  const LabelKind kind = kind_of(labels);
  const Index limit = max_groups(kind, n_rows);
  if (static_cast<Index>(labels.size()) <= limit) return;
  throw InvalidArgument(
      "--group-column " + column + ": the column has " + to_text(labels.size()) +
      " distinct values in " + counted(n_rows, "row") + ", too many to be groups (at most " +
      to_text(limit) + "). Use a column of categories or bin the values first" +
      (kind == LabelKind::text
           ? ""
           : "; if these numbers are categories, write them as text such as 'site 12'"));
}

void check_each_read_once(const std::vector<NamedPath>& paths) {
  std::vector<std::string> plain;
  for (const NamedPath& path : paths) plain.push_back(path.path);
  check_read_once(plain);
}

/// Splits the rows of all tables by their group.
std::vector<NamedInput> by_group_column(const std::vector<NamedInput>& files) {
  std::vector<NamedInput> groups;
  for (const NamedInput& file : files) {
    const Table& table = file.input.table;
    std::vector<std::string> names;
    for (const std::string& group : table.groups) {
      if (std::ranges::find(names, group) == names.end()) names.push_back(group);
    }
    for (const std::string& name : names) {
      const std::vector<Index> rows_of = rows_of_group(table, name);
      const RowMatrix values = rows_at(table.values, rows_of);
      const std::vector<std::uint64_t> keys = values_at(table.keys, rows_of);
      const std::vector<double> weights = values_at(table.weights, rows_of);
      const auto known = std::ranges::find(groups, name, &NamedInput::name);
      if (known == groups.end()) {
        groups.push_back({name, {}});
        groups.back().input.table.feature_names = table.feature_names;
        groups.back().input.table.values = values;
        groups.back().input.table.keys = keys;
        groups.back().input.table.weights = weights;
        continue;
      }
      RowMatrix& rows = known->input.table.values;
      rows.conservativeResize(rows.rows() + values.rows(), Eigen::NoChange);
      rows.bottomRows(values.rows()) = values;
      std::vector<std::uint64_t>& all_keys = known->input.table.keys;
      all_keys.insert(all_keys.end(), keys.begin(), keys.end());
      std::vector<double>& all_weights = known->input.table.weights;
      all_weights.insert(all_weights.end(), weights.begin(), weights.end());
    }
  }
  return groups;
}

}  // namespace

std::vector<NamedPath> named_paths(const std::vector<std::string>& arguments) {
  std::vector<NamedPath> paths;
  for (const std::string& argument : arguments) paths.push_back(named_path(argument));
  return paths;
}

std::vector<std::string> paths_of(const std::vector<std::string>& arguments) {
  std::vector<std::string> paths;
  for (const std::string& argument : arguments) paths.push_back(named_path(argument).path);
  return paths;
}

void check_distinct_groups(const std::vector<NamedPath>& paths) {
  for (auto next = paths.begin(); next != paths.end(); ++next) {
    const auto same = std::ranges::find(paths, next->name, &NamedPath::name);
    if (same == next) continue;
    throw UsageError("two groups would be named '" + next->name + "' (" + same->path + " and " +
                     next->path + "); name them, for example first=" + same->path +
                     " second=" + next->path);
  }
}

Input read_input(const std::string& path, const CsvOptions& options, const Say& say) {
  const EndAtOnce waiting;
  if (is_npy(path)) return npy_input(path, options);
  Input input = {checked_table(read_table(path, options), spoken_path(path), say)};
  check_magnitudes(input.table, spoken_path(path));
  return input;
}

void check_magnitudes(const Table& table, const std::string& name) {
  Index row = 0;
  Index column = 0;
  if (table.values.size() == 0) return;
  // NaN stands for missing values
  const auto is_large = table.values.array().abs() > largest_magnitude;
  if (!is_large.maxCoeff(&row, &column)) return;
  const auto place = static_cast<std::size_t>(column);
  const std::string label =
      table.feature_names.empty() ? to_text(place + 1) : "'" + table.feature_names[place] + "'";
  const std::string where = table.n_skipped_rows > 0 ? "" : " in row " + to_text(row + 1);
  throw InvalidArgument(name + ": column " + label + " contains " +
                        to_text(table.values(row, column)) + where +
                        ", expected values up to 1e+100; rescale that column");
}

Table checked_table(Table table, const std::string& name, const Say& say) {
  say_header(table, name, say);
  say_skipped(table, name, say);
  say_spaces_of_labels(table, name, say);
  return table;
}

Input in_order_of(const ExpectedColumns& expected, Input input, const std::string& path,
                  const Say& say) {
  Table& table = input.table;
  if (!expected.names.empty() && !table.feature_names.empty()) {
    check_names(expected, table, path);
    RowMatrix ordered(table.values.rows(), expected.count);
    std::vector<std::size_t> places = table.places;
    std::unordered_map<std::string_view, Index> column_of;  // the names are distinct
    for (Index column = 0; column < std::ssize(table.feature_names); ++column) {
      column_of[table.feature_names[static_cast<std::size_t>(column)]] = column;
    }
    for (std::size_t i = 0; i < expected.names.size(); ++i) {
      const Index column = column_of.at(expected.names[i]);
      ordered.col(static_cast<Index>(i)) = table.values.col(column);
      if (!places.empty()) places[i] = table.places[static_cast<std::size_t>(column)];
    }
    table.values = std::move(ordered);
    table.places = std::move(places);
    table.feature_names = expected.names;
    return input;
  }
  const Index n_columns = input.samples().n_features();
  if (n_columns != expected.count) {
    throw InvalidArgument(path + " has " + counted(n_columns, "feature column") + ", expected " +
                          to_text(expected.count) + " as in " + expected.owner);
  }
  say_unchecked_names(expected, table, path, say);
  return input;
}

void note_columns(TransportModel& model, const CsvOptions& options) {
  if (model.feature_names.empty() && !options.columns.empty()) {
    model.notes[columns_note] = list_text(options.columns);
  }
}

CsvOptions options_for(const TransportModel& model, CsvOptions options, const Say& say) {
  options.expected_columns = model.feature_names;
  const auto noted = model.notes.find(columns_note);
  if (model.feature_names.empty() && noted != model.notes.end() && options.columns.empty()) {
    if (has_control_character(noted->second)) {
      throw IoError("the columns in the notes of the model contain a control character");
    }
    say("the model has no column names, so columns " + noted->second +
        " of a file without a header are used, as in the fit; choose others with --columns");
    options.expected_columns = split_list(noted->second);
  }
  return options;
}

ExpectedColumns columns_of(const TransportModel& model) {
  return {model.feature_names, model.n_features(), "the model"};
}

std::vector<NamedInput> read_groups(const std::vector<std::string>& arguments,
                                    const CsvOptions& options, const Say& say) {
  std::vector<NamedInput> files;
  const std::vector<NamedPath> paths = named_paths(arguments);
  if (options.group_column.empty()) {
    if (paths.size() < 2) {
      throw UsageError(
          "only one file is given; expected two or more, one per group, or --group-column with "
          "the column that contains the group of each row");
    }
    check_distinct_groups(paths);
  }
  check_each_read_once(paths);
  for (const NamedPath& path : paths) {
    Input input = read_input(path.path, options, say);
    if (files.empty()) {
      check_distinct(input.table.feature_names, path.path);
    } else {
      const Input& first = files.front().input;
      input =
          in_order_of({first.table.feature_names, first.samples().n_features(), paths.front().path},
                      std::move(input), path.path, say);
    }
    files.push_back({path.name, std::move(input)});
  }
  if (options.group_column.empty()) return files;
  check_number_of_groups(files, options.group_column);
  return by_group_column(files);
}

std::vector<Index> rows_of_group(const Table& table, const std::string& group) {
  std::vector<Index> rows;
  for (std::size_t row = 0; row < table.groups.size(); ++row) {
    if (table.groups[row] == group) rows.push_back(static_cast<Index>(row));
  }
  return rows;
}

RowMatrix rows_at(const RowMatrix& values, const std::vector<Index>& rows) {
  return values(rows, Eigen::all);
}

std::vector<Group> groups_of(const std::vector<NamedInput>& inputs) {
  std::vector<Group> groups;
  for (const auto& [name, input] : inputs) {
    groups.push_back({name, input.samples(), input.table.weights, input.table.keys});
  }
  return groups;
}

TransportModel read_model(const std::string& path) {
  const EndAtOnce waiting;
  if (path != "-") return load_model(path);
  const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
  return model_from_bytes(bytes, spoken_path(path));
}

}  // namespace lbw::cli
