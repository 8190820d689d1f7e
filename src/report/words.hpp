// SPDX-License-Identifier: MIT
// Formatting of numbers and tables for people.
#pragma once

#include <string>
#include <vector>

namespace lbw {

/// Three significant digits: 0.0123, 12.3, 1.23e+06; "none" if it is infinite or NaN.
[[nodiscard]] std::string rounded(double value);

/// "12 %", "0.31 %": two significant digits.
[[nodiscard]] std::string percent(double share);

/// Aligned columns: texts to the left, numbers to the right.
class TextTable {
 public:
  struct Column {
    std::string header;
    bool is_text = false;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  /// The table, with a newline after every row; empty if there are no rows.
  [[nodiscard]] std::string text(std::size_t most_rows = 0) const;

 private:
  [[nodiscard]] std::size_t width_of(std::size_t column) const;
  [[nodiscard]] std::string line(const std::vector<std::string>& cells) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace lbw
