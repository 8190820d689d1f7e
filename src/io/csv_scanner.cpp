// SPDX-License-Identifier: MIT
#include "io/csv_scanner.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/message.hpp"

namespace lbw {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string_view without_mark(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

char guessed_delimiter(std::string_view text) {
  const std::size_t start = std::min(text.find_first_not_of(" \r\n"), text.size());
  std::array<std::pair<char, int>, 3> counts = {{{',', 0}, {';', 0}, {'\t', 0}}};
  bool in_quotes = false;
  for (const char c : text.substr(start)) {
    if (c == '"') in_quotes = !in_quotes;
    if (c == '\n' && !in_quotes) break;
    for (auto& [delimiter, count] : counts) count += !in_quotes && c == delimiter ? 1 : 0;
  }
  // ties go to the first, so a file of one column gets the comma
  const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::max_element(counts.begin(), counts.end(), fewer)->first;
}

// NUL bytes mean UTF-16 or binary data, so no cell could be read correctly.
void refuse_nul(std::string_view text, const std::string& name) {
  const std::size_t at = text.find('\0');
  if (at == std::string_view::npos) return;
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw IoError(message(name, ":", line + 1, ": found a NUL byte, expected UTF-8 or ASCII text"));
}

}  // namespace

CsvScanner::CsvScanner(std::string_view text, std::string name, char delimiter)
    : name_(std::move(name)) {
  refuse_nul(text, name_);
  text = without_mark(text);
  at_ = text.data();
  end_ = text.data() + text.size();
  delimiter_ = delimiter == '\0' ? guessed_delimiter(text) : delimiter;
}

bool CsvScanner::next(CsvRecord& record) {
  skip_empty_lines();
  if (at_ == end_) return false;
  record.line = line_;
  record.cells.clear();
  do {
    record.cells.push_back(next_cell());
  } while (end_cell());
  return true;
}

// A line of spaces counts as empty.
void CsvScanner::skip_empty_lines() {
  const char* start = at_;
  for (; at_ != end_ && (*at_ == ' ' || *at_ == '\r' || *at_ == '\n'); ++at_) {
    if (*at_ != '\n') continue;
    ++line_;
    start = at_ + 1;
  }
  if (at_ != end_) at_ = start;
}

CsvCell CsvScanner::next_cell() {
  skip_spaces();
  return at_ != end_ && *at_ == '"' ? quoted_cell() : plain_cell();
}

CsvCell CsvScanner::quoted_cell() {
  const Index opening_line = line_;
  const char* start = ++at_;
  bool has_doubled_quotes = false;
  while (true) {
    const void* found = at_ == end_ ? nullptr : std::memchr(at_, '"', std::size_t(end_ - at_));
    if (!found) throw IoError(message(name_, ":", opening_line, ": a quote is not closed"));
    const char* quote = static_cast<const char*>(found);
    line_ += std::count(at_, quote, '\n');
    at_ = quote + 1;
    if (at_ == end_ || *at_ != '"') break;
    has_doubled_quotes = true;
    ++at_;
  }
  const CsvCell cell{{start, std::size_t(at_ - 1 - start)}, has_doubled_quotes};
  skip_spaces();
  const bool ended = at_ == end_ || *at_ == delimiter_ || *at_ == '\n' || *at_ == '\r';
  if (!ended) throw IoError(message(name_, ":", line_, ": unexpected text after a closing quote"));
  return cell;
}

CsvCell CsvScanner::plain_cell() {
  const char* start = at_;
  while (at_ != end_ && *at_ != delimiter_ && *at_ != '\n') ++at_;
  const char* stop = at_;
  const bool at_line_end = at_ == end_ || *at_ == '\n';
  if (at_line_end && stop != start && stop[-1] == '\r') --stop;
  while (stop != start && stop[-1] == ' ') --stop;
  return {{start, std::size_t(stop - start)}};
}

// Skips the end of a cell; returns true if another cell of the record follows.
bool CsvScanner::end_cell() {
  if (at_ != end_ && *at_ == delimiter_) {
    ++at_;
    return true;
  }
  if (at_ != end_ && *at_ == '\r') ++at_;
  if (at_ != end_ && *at_ != '\n')
    throw IoError(message(name_, ":", line_, ": unexpected text after a CR"));
  if (at_ != end_) {
    ++at_;
    ++line_;
  }
  return false;
}

void CsvScanner::skip_spaces() {
  while (at_ != end_ && *at_ == ' ') ++at_;
}

std::string cell_text(const CsvCell& cell) {
  if (!cell.has_doubled_quotes) return std::string(cell.text);
  std::string text;
  for (std::size_t i = 0; i < cell.text.size(); ++i) {
    text += cell.text[i];
    if (cell.text[i] == '"') ++i;  // the second of a doubled quote
  }
  return text;
}

}  // namespace lbw
