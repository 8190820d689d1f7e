// SPDX-License-Identifier: MIT
#include "report/words.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lbw {

namespace {

std::string with_digits(double value, int digits) {
  char buffer[64];
  const auto [end, error] =
      std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::general, digits);
  return {buffer, end};
}

}  // namespace

std::string rounded(double value) { return std::isfinite(value) ? with_digits(value, 3) : "none"; }

std::string percent(double share) {
  const double hundredths = 100.0 * share;
  // avoids "1e+02" for 100
  return with_digits(hundredths, std::abs(hundredths) >= 99.5 ? 3 : 2) + " %";
}

std::size_t TextTable::width_of(std::size_t column) const {
  std::size_t width = columns_[column].header.size();
  for (const auto& row : rows_) width = std::max(width, row[column].size());
  return width;
}

std::string TextTable::line(const std::vector<std::string>& cells) const {
  std::string text;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const std::string blanks(width_of(c) - cells[c].size(), ' ');
    text += (c == 0 ? "" : "  ") + (columns_[c].is_text ? cells[c] + blanks : blanks + cells[c]);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string TextTable::text(std::size_t most_rows) const {
  if (rows_.empty()) return "";
  std::vector<std::string> headers;
  for (const Column& column : columns_) headers.push_back(column.header);
  std::string text = line(headers);
  const bool cut = most_rows > 0 && rows_.size() > most_rows;
  const std::size_t shown = cut ? most_rows : rows_.size();
  for (std::size_t r = 0; r < shown; ++r) text += line(rows_[r]);
  if (cut) text += "... and " + std::to_string(rows_.size() - shown) + " more\n";
  return text;
}

}  // namespace lbw
