// SPDX-License-Identifier: MIT
// Splits the text of a CSV file into records and cells without copying.
#pragma once

#include <lbw/matrix.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lbw {

/// The raw text of a cell: between its quotes, or without surrounding spaces.
struct CsvCell {
  std::string_view text;
  bool has_doubled_quotes = false;
};

struct CsvRecord {
  Index line = 0;  ///< the first line of the record, counted from 1
  std::vector<CsvCell> cells;
};

class CsvScanner {
 public:
  /// @param text       the whole file; must outlive the scanner and its records
  /// @param name       the file name in messages
  /// @param delimiter  '\0' selects the one of , ; and tab that occurs most often in the first line
  CsvScanner(std::string_view text, std::string name, char delimiter);

  /// Reads the next record, skipping empty lines; returns false at the end.
  /// @throws IoError  on an unclosed quote and on text after a closing quote
  bool next(CsvRecord& record);

 private:
  void skip_empty_lines();
  CsvCell next_cell();
  CsvCell quoted_cell();
  CsvCell plain_cell();
  bool end_cell();
  void skip_spaces();

  const char* at_;
  const char* end_;
  std::string name_;
  char delimiter_;
  Index line_ = 1;
};

/// The value of a cell, with doubled quotes replaced by single ones.
[[nodiscard]] std::string cell_text(const CsvCell& cell);

}  // namespace lbw
