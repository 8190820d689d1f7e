// SPDX-License-Identifier: MIT
// Model files, tables in CSV and NPY files, and bytes of mixtures and moment sums.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <iosfwd>
#include <lbw/matrix.hpp>
#include <lbw/mixture.hpp>
#include <lbw/moment_sums.hpp>
#include <lbw/sample_source.hpp>
#include <lbw/samples.hpp>
#include <lbw/transport.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
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

/// The statistics of a mixture's fit.
struct MixtureStatistics {
  double mean_log_likelihood = 0.0;
  int iterations = 0;
  bool converged = false;
};

/// A mixture in a file, with what belongs to it.
struct MixtureModel {
  Mixture mixture;
  std::vector<std::string> feature_names = {};                 ///< empty if unknown
  std::optional<MixtureStatistics> statistics = std::nullopt;  ///< empty if it was not fitted
  std::map<std::string, std::string> notes = {};               ///< as those of TransportModel
};

/// Writes a mixture as one safetensors file, atomically like save_model.
void save_mixture(const std::filesystem::path& path, const MixtureModel& model);

/// Reads and checks a mixture. @throws IoError naming the file and the problem
[[nodiscard]] MixtureModel load_mixture(const std::filesystem::path& path);

/// The same for bytes in memory; `name` is used in messages.
[[nodiscard]] std::string mixture_model_to_bytes(const MixtureModel& model);
[[nodiscard]] MixtureModel mixture_model_from_bytes(std::string_view bytes,
                                                    const std::string& name);

/// A model file of either kind that C++ reads.
using AnyModel = std::variant<TransportModel, MixtureModel>;
[[nodiscard]] AnyModel load_any_model(const std::filesystem::path& path);
[[nodiscard]] AnyModel any_model_from_bytes(std::string_view bytes, const std::string& name);

/// A list of texts that needs at most 8 bytes more than the characters of each.
class TextList {
 public:
  TextList() = default;
  TextList(std::initializer_list<std::string_view> texts);

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] bool empty() const { return ends_.empty(); }
  [[nodiscard]] std::string_view operator[](std::size_t place) const;
  /// The number of texts that equal this one.
  [[nodiscard]] std::size_t count(std::string_view text) const;
  /// The place of the first text that equals this one; size() if there is none.
  [[nodiscard]] std::size_t find(std::string_view text) const;
  void push_back(std::string_view text);
  void reserve(std::size_t size) { ends_.reserve(size); }
  /// Makes `count` and `find` fast until the next push_back, with 8 bytes more for each text.
  void prepare_search();

 private:
  std::string characters_;  // of all texts
  std::vector<std::size_t> ends_;
  std::vector<std::size_t> sorted_;  // places in the order of texts, or empty
};

/// The columns of a table that are not read as numbers.
struct TextColumns {
  std::size_t count = 0;  ///< number of columns
  TextList names = {};    ///< one per column; empty if the file has no header
  TextList cells = {};    ///< row by row
  /// For each column, whether a cell with text is in quotes; empty if the table was not read from
  /// CSV.
  std::vector<bool> has_quotes = {};

  /// The name of a column; empty if the file has no header.
  [[nodiscard]] std::string_view name(std::size_t column) const;
  [[nodiscard]] std::string_view cell(std::size_t row, std::size_t column) const;
  /// The cells of a column.
  [[nodiscard]] std::vector<std::string> column(std::size_t column) const;
};

/// Numbers with column names and, optionally, a group, a key and a weight for every row.
struct Table {
  std::vector<std::string> feature_names;  ///< empty if the file has no header
  RowMatrix values;                        ///< (n_rows, n_features)
  std::string group_column;                ///< name of the group column; empty if there is none
  std::vector<std::string> groups;         ///< one per row if there is a group column
  bool group_has_quotes = false;           ///< whether a cell of the group column is in quotes
  std::vector<std::uint64_t> keys = {};    ///< one per row if there is a key column
  TextColumns others = {};                 ///< all other columns, if CsvOptions::keeps_others
  /// The place of each feature, of the group column if there is one, and of each of `others` in the
  /// file. If empty, columns are written in this order.
  std::vector<std::size_t> places = {};
  std::vector<double> weights = {};  ///< one per row if there is a weight column
  Index n_skipped_rows = 0;          ///< rows that were left out (MissingValues::skip)
  /// Whether the first line was read as data but may be a header: it consists of consecutive whole
  /// numbers, such as 0,1,2 or 2019,2020, and CsvOptions::header did not decide.
  bool may_have_header = false;
};

/// CsvOptions::delimiter of files whose cells are separated by runs of spaces and tabs.
inline constexpr char any_whitespace = '\n';

/// Whether a character can separate cells: ASCII punctuation, a space or a control character, but
/// nothing that is part of numbers, quotes or line ends.
[[nodiscard]] bool is_csv_delimiter(char character);

/// Rows with missing values: cells of features that are empty, ?, or one of NA, N/A, #N/A, `<NA>`,
/// NaN, NULL and None in upper or lower case, and empty groups.
enum class MissingValues {
  error,  ///< raise an error that names the cell
  skip,   ///< leave the row out and count it (Table::n_skipped_rows)
  keep,   ///< keep the row, with NaN in missing cells and in all features of a row without a group
};

enum class CsvHeader {
  /// The first line is a header if feature cells in it are words, or if it contains the name of a
  /// requested column. Missing values (an empty cell, nan, NA) are not words. Words and numbers in
  /// the same line are an error, because a row of data may be damaged.
  detect,
  present,
  absent,
};

struct CsvOptions {
  /// A comma, semicolon, tab, space or other punctuation, or any_whitespace. '\0' selects the one
  /// that a first line such as sep=; names, or the one of comma, semicolon and tab that occurs most
  /// often in the first line, unless the next lines agree only with another.
  char delimiter = '\0';
  CsvHeader header = CsvHeader::detect;
  /// The column with the group of each row, by header name or by number from 1; empty for none.
  std::string group_column = {};
  /// The column with the key of each row (lbw/samples.hpp), like group_column; empty for none.
  std::string key_column = {};
  /// The column with the weight of each row, a finite number >= 0; empty for none.
  std::string weight_column = {};
  /// The feature columns in this order, by name or by number from 1. By default, all columns except
  /// the group, the key and the weight.
  std::vector<std::string> columns = {};
  /// The features if `columns` is empty and the header names some of these; others are no features
  /// then. Without a header, these may be numbers from 1.
  std::vector<std::string> expected_columns = {};
  /// Whether to read columns that are neither features nor the group as text.
  bool keeps_others = false;
  /// The decimal mark, '.' or ','. With a comma, a semicolon or tab is detected as delimiter.
  char decimal = '.';
  MissingValues missing = MissingValues::error;
  /// Whether to read the key column as text too, if there is one; it is one of `others` then.
  bool keeps_key = false;
  /// Whether to read all columns except the group as text, to find out which of them are numbers.
  /// There are no features then.
  bool all_text = false;
  /// Whether cells in quotes are text even if they look like numbers, such as "007". They are an
  /// error in a feature or weight column then.
  bool quoted_is_text = false;
};

/// The finite number in a cell: surrounding spaces, one leading '+', decimal or scientific, with
/// the given decimal mark.
[[nodiscard]] std::optional<double> csv_number(std::string_view text, char decimal = '.');

/// 1 for True, 0 for False, as pandas and R write them: true, True, TRUE.
[[nodiscard]] std::optional<double> csv_boolean(std::string_view text);

/// Whether a text contains a character that could control a terminal: one of ASCII that is neither
/// visible nor a space, tab or line end (LF or CRLF), or one of U+0080 to U+009F.
[[nodiscard]] bool has_control_character(std::string_view text);

/// Whether a text is UTF-8, without overlong forms and surrogates.
[[nodiscard]] bool is_utf8(std::string_view text);

/// Whether a cell is a number with separators of thousands: 1,234,567.8, 1.234.567,8, 1 234 or
/// 1'234. 1.234 is not, because its point may be a decimal mark.
[[nodiscard]] bool has_thousands_separators(std::string_view text);

/// Reads a table in UTF-8 or ASCII. Files that are compressed by gzip or zstd are recognized by
/// their first bytes. Cells may be quoted, with doubled quotes inside. Spaces around numbers and
/// column names have no meaning, spaces around unquoted text belong to it. True and False are read
/// as 1 and 0. Lines end in LF or CRLF. Empty lines are skipped, except in files with one column,
/// where they are missing values. Memory is needed for the table and a row, and not for the text.
/// @throws IoError  if the file cannot be read, is of another kind, truncated, damaged or without
///                  rows, if a name of a column or a group is not UTF-8, if a line has the wrong
///                  number of cells, or if a cell is not a finite number, for example `file.csv:12:
///                  column 3 (alcohol): "abc" is not a finite number`
[[nodiscard]] Table read_csv(const std::filesystem::path& path, const CsvOptions& options = {});
/// Reads a table from a stream; `name` is used in messages.
[[nodiscard]] Table read_csv(std::istream& input, const std::string& name,
                             const CsvOptions& options = {});

/// The notation of a table that is written.
struct CsvFormat {
  char delimiter = ',';  ///< as in CsvOptions, but not '\0'; any_whitespace writes one space
  char decimal = '.';
  /// Whether values may be NaN, which become empty cells, or NA between spaces.
  bool allows_missing = false;
  /// Whether columns of TextColumns::has_quotes, and the group column of Table::group_has_quotes,
  /// are written in quotes, so that their texts stay texts for CsvOptions::quoted_is_text.
  bool quotes_text = false;
};

/// Writes a table with columns in the order of Table::places and without keys and weights. Numbers
/// use the shortest text that reads back to the same value. A path that ends in .gz or .zst is
/// compressed by gzip or zstd. The write is atomic: an existing file is kept until the new one is
/// complete.
void write_csv(const std::filesystem::path& path, const Table& table, const CsvFormat& format = {});
void write_csv(std::ostream& output, const Table& table, const CsvFormat& format = {});

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
/// The file should not be modified while this object exists. If it is truncated or overwritten,
/// every function that reads the samples raises an IoError that says so, instead of a result. A
/// change is recognized by the size and the time of modification of the file. Replacing the file by
/// a rename, as lbw writes its files, is safe: the samples are those of the old file.
///
/// While mapped files exist, lbw handles the signal SIGBUS, by which the system reports memory that
/// a truncated file no longer has. Signals for other memory are given to the previous handler. A
/// handler that is installed later must do the same.
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

/// The storage of samples in memory that the caller has mapped from a file, for the constructor of
/// SampleView. While it exists, memory that the file has lost contains zeros, and functions that
/// read the samples raise an IoError, as for NpySamples. Bytes that were overwritten are not
/// noticed, nor less than a page that was cut off at the end. `name` is used in messages.
[[nodiscard]] std::unique_ptr<const SampleStorage> guarded_memory(const void* first_byte,
                                                                  std::size_t n_bytes,
                                                                  const std::string& name);

/// Writes a file atomically, in parts. commit() flushes the new file to the disk and puts it in
/// place. Until then, and after a failure, the file at the path is unchanged, and a process that is
/// killed leaves nothing else (docs/architecture.md). Permissions of the old file are kept. Links
/// are followed and preserved. Anything but a regular file (a pipe, /dev/stdout) is written
/// directly.
class FileWriter {
 public:
  /// @throws IoError  if the path is a directory, its directory does not exist or is not writable
  explicit FileWriter(const std::filesystem::path& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  /// @throws IoError  naming the path and the reason, also after commit()
  void write(std::string_view bytes);
  void commit();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

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
