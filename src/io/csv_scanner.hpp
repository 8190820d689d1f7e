// SPDX-License-Identifier: MIT
// Splits the text of a CSV file into records and cells. Only a part of the text is in memory.
#pragma once

#include <cstdint>
#include <lbw/matrix.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.hpp"

namespace lbw {

/// The text of a cell, valid until the next record.
struct CsvCell {
  std::string_view text;  ///< between its quotes, or without surrounding spaces
  std::string_view raw;   ///< the same with surrounding spaces, unless it is quoted
  bool is_quoted = false;
  bool has_doubled_quotes = false;
};

/// The cells of a line, or of several if line ends are quoted.
class CsvRecord {
 public:
  Index line = 0;  ///< the first line of the record, counted from 1

  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] CsvCell operator[](std::size_t column) const;

 private:
  friend class CsvScanner;

  /// A cell in 8 bytes, because a small file may have millions of empty cells.
  struct Place {
    std::uint32_t begin;  ///< counted from the beginning of the record
    std::uint32_t length : 30;
    std::uint32_t is_quoted : 1;
    std::uint32_t has_doubled_quotes : 1;
  };

  void add(const char* begin, const char* end, bool is_quoted, bool has_doubled_quotes);

  const char* text_ = nullptr;
  std::vector<Place> places_;
};

class CsvScanner {
 public:
  /// @param source     the bytes of the file, decompressed
  /// @param name       the file name in messages
  /// @param delimiter  any_whitespace for runs of spaces and tabs; '\0' detects it
  /// (csv_delimiter.hpp)
  /// @param decimal    the decimal mark, which is not a delimiter
  /// @throws IoError   if the file is of another kind, or if its delimiter cannot be detected
  CsvScanner(std::unique_ptr<ByteSource> source, std::string name, char delimiter, char decimal);

  /// Reads the next record, skipping empty lines; returns false at the end.
  /// @throws IoError  on an unclosed quote, on text after a closing quote, and on NUL bytes
  bool next(CsvRecord& record);

  /// From now on, an empty line is a record of one empty cell, as in a file with one column.
  void keep_empty_lines() { keeps_empty_lines_ = true; }

  [[nodiscard]] char delimiter() const { return delimiter_; }
  /// The line where the table begins: 2 after a line such as sep=;
  [[nodiscard]] Index first_line() const { return first_line_; }

 private:
  void refill();
  bool scan(CsvRecord& record);
  bool skip_empty_lines();
  bool next_cell(CsvRecord& record);
  bool quoted_cell(CsvRecord& record);
  void plain_cell(CsvRecord& record);
  bool end_cell();
  void skip_spaces();
  [[nodiscard]] bool is_delimiter(char c) const;
  [[nodiscard]] bool is_space(char c) const;

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::string text_;  // the part in memory
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  bool is_exhausted_ = false;  // text_ contains the end of the file
  bool keeps_empty_lines_ = false;
  char delimiter_ = ',';
  Index first_line_ = 1;
  Index line_ = 1;
};

/// The value of a cell, with doubled quotes replaced by single ones.
[[nodiscard]] std::string cell_text(const CsvCell& cell);
/// The same with the spaces around an unquoted cell.
[[nodiscard]] std::string raw_cell_text(const CsvCell& cell);

}  // namespace lbw
