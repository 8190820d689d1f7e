// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <lbw/types.hpp>
#include <string>
#include <vector>

namespace lbw {

/// Numbers with the names of their columns and, where asked for, a group and a key per row.
struct Table {
  std::vector<std::string> feature_names;  ///< empty when the file has no header
  RowMatrix values;                        ///< (n_rows, n_features)
  std::string group_column;                ///< name of the group column, empty when there is none
  std::vector<std::string> groups;         ///< one per row when there is a group column
  std::vector<std::uint64_t> keys = {};    ///< one per row when there is a key column
};

enum class CsvHeader {
  /// The first line is a header when a feature's cell in it is a word, or when a column is asked
  /// for by a name in it. Missing values (an empty cell, nan, NA) are no words: they are refused.
  detect,
  present,
  absent,
};

struct CsvOptions {
  /// ',' ';' '\t', or '\0' to take whichever of them the first line has most of.
  char delimiter = '\0';
  CsvHeader header = CsvHeader::detect;
  /// Column that holds the group of each row, by header name or by number from 1; empty for none.
  std::string group_column = {};
  /// Column that holds the key of each row (lbw/row_key.hpp), as group_column; empty for none.
  std::string key_column = {};
  /// Feature columns in the order wanted, by name or by number from 1; empty for all but the group
  /// and the key.
  std::vector<std::string> columns = {};
};

/// Reads a table. Cells may be quoted, a doubled quote stands for one; lines end in LF or CRLF;
/// empty lines are passed over.
/// @throws IoError  on a cell that is not a finite number or a ragged line, as
///                  `file.csv:12: column 3 (alcohol): "abc" is not a number`, and when the file
///                  cannot be read or has no rows
[[nodiscard]] Table read_csv(const std::filesystem::path& path, const CsvOptions& options = {});
/// The same from a stream; `name` stands for the file in messages.
[[nodiscard]] Table read_csv(std::istream& input, const std::string& name,
                             const CsvOptions& options = {});

/// Writes a table, comma separated, the group column last and without keys. Every number is the
/// shortest that reads back to the same bits. The write is atomic: an existing
/// one stays until the new one is whole.
void write_csv(const std::filesystem::path& path, const Table& table);
void write_csv(std::ostream& output, const Table& table);

}  // namespace lbw
