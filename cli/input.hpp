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

/// Reads NPY by its extension, otherwise CSV; `-` is CSV from standard input.
[[nodiscard]] Input read_input(const std::string& path, const CsvOptions& options);

/// Receives a message for the user.
using Say = std::function<void(const std::string&)>;

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

/// The indices of the rows of a group.
[[nodiscard]] std::vector<Index> rows_of_group(const Table& table, const std::string& group);
[[nodiscard]] RowMatrix rows_at(const RowMatrix& values, const std::vector<Index>& rows);
/// The keys at these rows; empty if there are none.
[[nodiscard]] std::vector<std::uint64_t> keys_at(const std::vector<std::uint64_t>& keys,
                                                 const std::vector<Index>& rows);

/// Reads a model; `-` is standard input.
[[nodiscard]] TransportModel read_model(const std::string& path);

}  // namespace lbw::cli
