// SPDX-License-Identifier: MIT
// Tables and models from files or standard input.
#pragma once

#include <functional>
#include <lbw/table_io.hpp>
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
/// @throws UsageError when two have the same name; it says how to name them
void check_distinct_groups(const std::vector<NamedPath>& paths);

/// The rows of a file. Those of CSV are read into `table`. Those of NPY, which may be more than
/// memory holds, stay in `npy`, and `table` has none.
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

/// NPY by its extension, otherwise CSV; `-` is CSV from standard input.
[[nodiscard]] Input read_input(const std::string& path, const CsvOptions& options);

/// Takes a sentence for the user.
using Say = std::function<void(const std::string&)>;

/// One group per file or, with a group column, one per value in it, in order of appearance. All
/// tables get the columns of the first, in its order.
[[nodiscard]] std::vector<NamedInput> read_groups(const std::vector<std::string>& arguments,
                                                  const CsvOptions& options, const Say& say);

/// Columns that tables are expected to have.
struct ExpectedColumns {
  std::vector<std::string> names;  ///< or none, where they are unknown
  Index count = 0;
  std::string owner;  ///< whose columns they are
};

/// The input with its columns in the expected order. Where only one of the two has names, columns
/// are taken by their position, which it says.
/// @throws InvalidArgument listing the columns that are missing or unexpected, or telling how many
///         there are
[[nodiscard]] Input in_order_of(const ExpectedColumns& expected, Input input,
                                const std::string& path, const Say& say);

[[nodiscard]] ExpectedColumns columns_of(const TransportModel& model);

/// The rows of a table that belong to a group, with the number of each.
[[nodiscard]] std::vector<Index> rows_of_group(const Table& table, const std::string& group);
[[nodiscard]] RowMatrix rows_at(const RowMatrix& values, const std::vector<Index>& rows);
/// None where there are no keys.
[[nodiscard]] std::vector<std::uint64_t> keys_at(const std::vector<std::uint64_t>& keys,
                                                 const std::vector<Index>& rows);

/// `-` is standard input.
[[nodiscard]] TransportModel read_model(const std::string& path);

}  // namespace lbw::cli
