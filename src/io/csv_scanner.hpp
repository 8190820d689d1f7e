// SPDX-License-Identifier: MIT
// Cuts the text of a CSV file into records and cells, without copying them.
#pragma once

#include <lbw/matrix.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lbw {

/// A cell as it stands in the file: between its quotes, or without the spaces around it.
struct CsvCell {
  std::string_view text;
  bool has_doubled_quotes = false;
};

struct CsvRecord {
  Index line = 0;  ///< where it starts, counted from 1
  std::vector<CsvCell> cells;
};

class CsvScanner {
 public:
  /// @param text       whole file; must outlive the scanner and its records
  /// @param name       stands for the file in messages
  /// @param delimiter  '\0' takes whichever of , ; and tab the first line has most of
  CsvScanner(std::string_view text, std::string name, char delimiter);

  /// Fills the next record, passing over empty lines; false at the end.
  /// @throws IoError on a quote that is never closed and on text after a closing quote
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

/// What the cell says: doubled quotes made single.
[[nodiscard]] std::string cell_text(const CsvCell& cell);

}  // namespace lbw
