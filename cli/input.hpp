// SPDX-License-Identifier: MIT
// Tables and models from files or standard input.
#pragma once

#include <functional>
#include <lbw/io.hpp>
#include <lbw/transport.hpp>
#include <memory>
#include <string>
#include <vector>

namespace lbw::cli {

/// A file argument: `path`, whose group is named after the file, or `name=path`.
struct NamedPath {
  std::string name;
  std::string path;
};

[[nodiscard]] std::vector<NamedPath> named_paths(const std::vector<std::string>& arguments);

/// Their paths without the names.
[[nodiscard]] std::vector<std::string> paths_of(const std::vector<std::string>& arguments);

/// @throws UsageError  if two groups have the same name
void check_distinct_groups(const std::vector<NamedPath>& paths);

/// The rows of a file. Rows of CSV are read into `table`. Rows of NPY, which may be larger than
/// memory, stay in `npy`, and `table` is empty.
struct Input {
  Table table = {};
  std::unique_ptr<const NpySamples> npy = nullptr;

  [[nodiscard]] SampleView samples() const {
    return npy ? npy->samples() : SampleView(table.values);
  }
};

struct NamedInput {
  std::string name;
  Input input;
};

/// Receives a message for the user.
using Say = std::function<void(const std::string&)>;

/// Reads NPY by its extension, otherwise CSV, which may be compressed; `-` is CSV from standard
/// input. Warns about rows that are left out because of missing values.
[[nodiscard]] Input read_input(const std::string& path, const CsvOptions& options, const Say& say);

/// The table, after warnings about it: rows that are left out, a header of numbers, spaces of
/// labels.
[[nodiscard]] Table checked_table(Table table, const std::string& name, const Say& say);

/// Rejects values that fits and maps reject, by the names of their columns.
/// @throws InvalidArgument
void check_magnitudes(const Table& table, const std::string& name);

/// One group per file or, with a group column, one per value in order of appearance. The columns of
/// all tables are put in the order of the first.
[[nodiscard]] std::vector<NamedInput> read_groups(const std::vector<std::string>& arguments,
                                                  const CsvOptions& options, const Say& say);

/// The expected columns of tables.
struct ExpectedColumns {
  std::vector<std::string> names;  ///< empty if they are unknown
  Index count = 0;
  std::string owner;  ///< the source of the expected columns, for messages
};

/// The input with its columns in the expected order. If only one side has names, columns are
/// matched by position, with a note to the user.
/// @throws InvalidArgument  listing missing or unexpected columns, or the number of columns
[[nodiscard]] Input in_order_of(const ExpectedColumns& expected, Input input,
                                const std::string& path, const Say& say);

[[nodiscard]] ExpectedColumns columns_of(const TransportModel& model);

/// Notes the numbers of the columns that a model without column names was fitted to.
void note_columns(TransportModel& model, const CsvOptions& options);
/// The options with which tables for a model are read: its columns by name or, if it has no names,
/// by the noted numbers, with a note to the user, unless the user selected others.
[[nodiscard]] CsvOptions options_for(const TransportModel& model, CsvOptions options,
                                     const Say& say);

/// The indices of the rows of a group.
[[nodiscard]] std::vector<Index> rows_of_group(const Table& table, const std::string& group);
[[nodiscard]] RowMatrix rows_at(const RowMatrix& values, const std::vector<Index>& rows);
/// The keys or weights at these rows; empty if there are none.
template <typename T>
[[nodiscard]] std::vector<T> values_at(const std::vector<T>& values,
                                       const std::vector<Index>& rows) {
  std::vector<T> chosen;
  if (values.empty()) return chosen;
  for (const Index row : rows) chosen.push_back(values[static_cast<std::size_t>(row)]);
  return chosen;
}

/// The samples of inputs, with their weights and keys. They must outlive the groups.
[[nodiscard]] std::vector<Group> groups_of(const std::vector<NamedInput>& inputs);

/// Reads a model; `-` is standard input.
[[nodiscard]] TransportModel read_model(const std::string& path);

}  // namespace lbw::cli
