// SPDX-License-Identifier: MIT
// Model files, tables in CSV and NPY files, and bytes of mixtures and moment sums.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <lbw/matrix.hpp>
#include <lbw/mixture.hpp>
#include <lbw/moment_sums.hpp>
#include <lbw/sample_source.hpp>
#include <lbw/samples.hpp>
#include <lbw/transport.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lbw {

/// Writes a fitted model as one safetensors file (docs/model-format.md lists tensors and metadata).
/// The write is atomic: after a failure, the path holds the old file.
void save_model(const std::filesystem::path& path, const TransportModel& model);

/// Reads a model. Header length, offsets, overlaps, shapes, finiteness, weights, definiteness and
/// coupling are checked, and sizes are checked before memory is allocated.
/// @throws IoError  naming the file and the problem
[[nodiscard]] TransportModel load_model(const std::filesystem::path& path);

/// The same for bytes in memory; `name` is used in messages.
[[nodiscard]] std::string model_to_bytes(const TransportModel& model);
[[nodiscard]] TransportModel model_from_bytes(std::string_view bytes, const std::string& name);

/// A column of a table that is not read as numbers.
struct TextColumn {
  std::string name;                ///< empty if the file has no header
  std::vector<std::string> cells;  ///< one per row
};

/// Numbers with column names and, optionally, a group and a key for every row.
struct Table {
  std::vector<std::string> feature_names;  ///< empty if the file has no header
  RowMatrix values;                        ///< (n_rows, n_features)
  std::string group_column;                ///< name of the group column; empty if there is none
  std::vector<std::string> groups;         ///< one per row if there is a group column
  std::vector<std::uint64_t> keys = {};    ///< one per row if there is a key column
  std::vector<TextColumn> others = {};     ///< all other columns, if CsvOptions::keeps_others
  /// The place of each feature, of the group column if there is one, and of each of `others` in the
  /// file. If empty, columns are written in this order.
  std::vector<std::size_t> places = {};
};

enum class CsvHeader {
  /// The first line is a header if a feature cell in it is a word, or if it contains the name of a
  /// requested column. Missing values (an empty cell, nan, NA) are not words and raise an error.
  detect,
  present,
  absent,
};

struct CsvOptions {
  /// ',', ';' or '\t'; '\0' selects the one that occurs most often in the first line.
  char delimiter = '\0';
  CsvHeader header = CsvHeader::detect;
  /// The column with the group of each row, by header name or by number from 1; empty for none.
  std::string group_column = {};
  /// The column with the key of each row (lbw/samples.hpp), like group_column; empty for none.
  std::string key_column = {};
  /// The feature columns in this order, by name or by number from 1. By default, all columns except
  /// the group and the key.
  std::vector<std::string> columns = {};
  /// The features if `columns` is empty and the header names some of these; others are no features
  /// then.
  std::vector<std::string> expected_columns = {};
  /// Whether to read columns that are neither features nor the group as text.
  bool keeps_others = false;
};

/// Reads a table. Cells may be quoted, with doubled quotes inside. Lines end in LF or CRLF. Empty
/// lines are skipped.
/// @throws IoError  if the file cannot be read or has no rows, if a line has the wrong number of
///                  cells, or if a cell is not a finite number, for example `file.csv:12: column 3
///                  (alcohol): "abc" is not a number`
[[nodiscard]] Table read_csv(const std::filesystem::path& path, const CsvOptions& options = {});
/// Reads a table from a stream; `name` is used in messages.
[[nodiscard]] Table read_csv(std::istream& input, const std::string& name,
                             const CsvOptions& options = {});

/// Writes a comma-separated table with columns in the order of Table::places and without keys.
/// Numbers use the shortest text that reads back to the same value. The write is atomic: an
/// existing file is kept until the new one is complete.
void write_csv(const std::filesystem::path& path, const Table& table);
void write_csv(std::ostream& output, const Table& table);

/// Reads a NumPy file of format 1.0, 2.0 or 3.0: one or two dimensions, C or Fortran order,
/// float64, float32 or integers of 8 to 64 bits, either byte order. One dimension becomes one
/// column.
/// @throws IoError  naming the problem; a length that exceeds the file is detected before memory is
///                  allocated
[[nodiscard]] RowMatrix read_npy(const std::filesystem::path& path);

/// Writes float64 in C order, format 1.0. The write is atomic.
void write_npy(const std::filesystem::path& path, const MatrixView& values);

/// The samples of a NumPy file, which may be larger than memory.
///
/// Little-endian float64 or float32 in C order (the output of numpy.save) is memory-mapped, and
/// every pass over the samples keeps a few MiB of it per thread. All other formats that read_npy
/// supports are converted in memory. The results are bitwise identical.
///
/// The file must not be modified while this object exists: truncating a mapped file ends the
/// program with SIGBUS. Replacing it by a rename, as lbw writes its files, is safe.
class NpySamples {
 public:
  /// Opens the file and checks every value.
  /// @throws IoError  like read_npy, naming row and column of a value that is not finite
  explicit NpySamples(const std::filesystem::path& path);
  ~NpySamples() = default;
  NpySamples(const NpySamples&) = delete;
  NpySamples& operator=(const NpySamples&) = delete;

  /// (n_samples, n_features); valid during the lifetime of this object.
  [[nodiscard]] SampleView samples() const& { return samples_; }
  SampleView samples() const&& = delete;  // the view would outlive the file
  [[nodiscard]] bool is_mapped() const { return file_ != nullptr; }

 private:
  RowMatrix values_;  // used if the file is not mapped
  std::unique_ptr<const SampleStorage> file_;
  SampleView samples_;
};

class FileWriter;

/// Writes a NumPy file in parts, for more rows than fit into memory: float64 in C order, format
/// 1.0. commit() replaces the file atomically. Until then, and after a failure, the file at the
/// path is unchanged.
class NpyWriter {
 public:
  /// @throws InvalidArgument  unless there is at least one value
  /// @throws IoError          if the path is a directory, its directory does not exist or is not
  ///                          writable
  NpyWriter(const std::filesystem::path& path, Index n_rows, Index n_columns);
  ~NpyWriter();
  NpyWriter(const NpyWriter&) = delete;
  NpyWriter& operator=(const NpyWriter&) = delete;

  /// Appends rows. They must be finite, and their total must not exceed n_rows.
  void append(const MatrixView& rows);

  /// Completes the file. @throws InvalidArgument if rows are missing
  void commit();

 private:
  std::unique_ptr<FileWriter> file_;
  std::string bytes_;  // not yet written
  Index n_rows_;
  Index n_columns_;
  Index n_written_ = 0;
};

/// Compact bytes, versioned and little endian. They depend only on the value, and reading them
/// gives bitwise the same numbers. Only the lower triangle of second moments is stored, because the
/// two differ only by rounding.
[[nodiscard]] std::string moment_sums_to_bytes(const MomentSums& sums);
[[nodiscard]] std::string mixture_to_bytes(const Mixture& mixture);
/// A mixture with the noise of a pass. Without noise, the same as mixture_to_bytes.
[[nodiscard]] std::string mixture_to_bytes(const Mixture& mixture, const RowNoise& noise);

/// Checks lengths, shapes and finiteness, before memory is allocated.
/// @throws IoError
[[nodiscard]] MomentSums moment_sums_from_bytes(std::string_view bytes);
/// Checks the mixture too, as check_mixture does.
[[nodiscard]] Mixture mixture_from_bytes(std::string_view bytes);

struct NoisyMixture {
  Mixture mixture;
  RowNoise noise;
};
[[nodiscard]] NoisyMixture noisy_mixture_from_bytes(std::string_view bytes);

}  // namespace lbw
