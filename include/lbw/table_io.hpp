// SPDX-License-Identifier: MIT
// Tables in CSV and NumPy files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <lbw/matrix.hpp>
#include <lbw/samples.hpp>
#include <memory>
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
  /// Column that holds the key of each row (lbw/samples.hpp), as group_column; empty for none.
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

/// Reads a NumPy file of format 1.0, 2.0 or 3.0: one or two dimensions, C or Fortran order,
/// float64, float32 or integers of 8 to 64 bits, either byte order. One dimension becomes one
/// column.
/// @throws IoError  naming what the file holds instead; a length that the file does not have is
///                  found before memory is taken for it
[[nodiscard]] RowMatrix read_npy(const std::filesystem::path& path);

/// Writes float64 in C order, format 1.0, aside and renamed.
void write_npy(const std::filesystem::path& path, const MatrixView& values);

/// The samples of a NumPy file, which may be larger than memory.
///
/// Little-endian float64 or float32 in C order (what numpy.save writes) stays in the file: it is
/// mapped, and every pass over the samples keeps a few MiB of it for each thread. All else that
/// read_npy takes is converted into memory. Results are the same bits either way.
///
/// The file must stay as it is while this lives: to shorten a mapped file ends the program with
/// SIGBUS. To replace it by a rename, as lbw writes its own files, is fine.
class NpySamples {
 public:
  /// Looks at every value once.
  /// @throws IoError  as read_npy does, naming row and column of a value that is not finite
  explicit NpySamples(const std::filesystem::path& path);
  ~NpySamples() = default;
  NpySamples(const NpySamples&) = delete;
  NpySamples& operator=(const NpySamples&) = delete;

  /// (n_samples, n_features); valid while this lives.
  [[nodiscard]] SampleView samples() const& { return samples_; }
  SampleView samples() const&& = delete;  // the view would outlive the file
  [[nodiscard]] bool is_mapped() const { return file_ != nullptr; }

 private:
  RowMatrix values_;  // of a file that is not mapped
  std::unique_ptr<const SampleStorage> file_;
  SampleView samples_;
};

class FileWriter;

/// A NumPy file of more rows than memory holds, written a few at a time: float64 in C order,
/// format 1.0. commit() writes it atomically; until then, and after any failure, the
/// path holds what it held before.
class NpyWriter {
 public:
  /// @throws InvalidArgument  unless there is at least one value
  /// @throws IoError          when the path is a folder, its folder does not exist or it may not be
  ///                          written
  NpyWriter(const std::filesystem::path& path, Index n_rows, Index n_columns);
  ~NpyWriter();
  NpyWriter(const NpyWriter&) = delete;
  NpyWriter& operator=(const NpyWriter&) = delete;

  /// The next rows: finite, and no more than were promised.
  void append(const MatrixView& rows);

  /// Once all rows are there. @throws InvalidArgument when some are missing
  void commit();

 private:
  std::unique_ptr<FileWriter> file_;
  std::string bytes_;  // not yet handed to the file
  Index n_rows_;
  Index n_columns_;
  Index n_written_ = 0;
};

}  // namespace lbw
