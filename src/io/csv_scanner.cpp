// SPDX-License-Identifier: MIT
#include "io/csv_scanner.hpp"

#include <algorithm>
#include <cstring>
#include <lbw/io.hpp>
#include <utility>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "io/csv_cells.hpp"
#include "io/csv_delimiter.hpp"
#include "io/file_kind.hpp"

namespace lbw {

namespace {

constexpr std::size_t first_part = 1U << 16U;  // small, for small tables
constexpr std::size_t text_part = 1U << 20U;
// An unclosed quote, or a file that is no table, must not fill the memory.
constexpr std::size_t longest_record = 64U << 20U;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// NUL bytes mean binary data, so no cell could be read correctly.
void refuse_nul(std::string_view text, std::size_t from, Index line, const std::string& name) {
  const std::size_t at = text.find('\0', from);
  if (at == std::string_view::npos) return;
  line += std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw IoError(message(name, ":", line, ": found a NUL byte, expected UTF-8 or ASCII text"));
}

void refuse_lone_carriage_returns(std::string_view text, const std::string& name) {
  const bool has_lines = text.find('\n') != std::string_view::npos;
  const std::size_t at = text.find('\r');
  if (has_lines || at == std::string_view::npos || at + 1 == text.size()) return;
  throw IoError(message(name,
                        ": lines end in CR, expected LF or CRLF; convert them, for example with "
                        "tr '\\r' '\\n'"));
}

std::string unescaped(std::string_view text, bool has_doubled_quotes) {
  if (!has_doubled_quotes) return std::string(text);
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    value += text[i];
    if (text[i] == '"') ++i;  // the second of a doubled quote
  }
  return value;
}

}  // namespace

// Records are shorter than 2^30 bytes (longest_record).
void CsvRecord::add(const char* begin, const char* end, bool is_quoted, bool has_doubled_quotes) {
  places_.push_back({.begin = static_cast<std::uint32_t>(begin - text_),
                     .length = static_cast<std::uint32_t>(end - begin) & 0x3fffffffU,
                     .is_quoted = is_quoted,
                     .has_doubled_quotes = has_doubled_quotes});
}

// An unquoted cell contains no spaces if they are delimiters, so none is removed that matters.
CsvCell CsvRecord::operator[](std::size_t column) const {
  const Place place = places_[column];
  const std::string_view raw(text_ + place.begin, place.length);
  return {.text = place.is_quoted != 0 ? raw : without_spaces(raw),
          .raw = raw,
          .is_quoted = place.is_quoted != 0,
          .has_doubled_quotes = place.has_doubled_quotes != 0};
}

CsvScanner::CsvScanner(std::unique_ptr<ByteSource> source, std::string name, char delimiter,
                       char decimal)
    : source_(std::move(source)), name_(std::move(name)) {
  text_.resize(first_part);
  text_.resize(source_->read(text_));
  is_exhausted_ = text_.size() < first_part;
  refuse_other_kinds(text_, name_, "CSV");
  refuse_nul(text_, 0, line_, name_);
  refuse_lone_carriage_returns(text_, name_);
  if (text_.starts_with(byte_order_mark)) text_.erase(0, byte_order_mark.size());
  const DelimiterLine named = delimiter_line(text_, decimal, name_);
  text_.erase(0, named.length);
  if (named.length > 0) line_ = first_line_ = 2;
  at_ = text_.data();
  end_ = at_ + text_.size();
  if (delimiter == '\0') delimiter = named.delimiter;
  // the last line in memory may be incomplete
  const std::size_t whole = is_exhausted_ ? std::string::npos : text_.rfind('\n');
  delimiter_ = delimiter == '\0'
                   ? detected_delimiter(std::string_view(text_).substr(0, whole), decimal, name_)
                   : delimiter;
}

/// Reads on, keeping the text from at_.
void CsvScanner::refill() {
  const auto kept = to_size(end_ - at_);
  if (kept >= longest_record) {
    throw IoError(message(name_, ":", line_, ": the row that begins here is longer than ",
                          longest_record >> 20U, " MiB; is a quote not closed?"));
  }
  text_.erase(0, to_size(at_ - text_.data()));
  const std::size_t doubled = std::max(text_part, kept);  // few steps to a long record
  const std::size_t wanted = std::min(doubled, longest_record - kept);
  text_.resize(kept + wanted);
  const std::size_t count = source_->read(std::span(text_).subspan(kept));
  text_.resize(kept + count);
  is_exhausted_ = count < wanted;
  refuse_nul(text_, kept, line_, name_);
  at_ = text_.data();
  end_ = at_ + text_.size();
}

// A record that reaches the end of the part in memory is read again after the next part.
bool CsvScanner::next(CsvRecord& record) {
  while (true) {
    const char* const start = at_;
    const Index first_line = line_;
    const bool is_whole = scan(record);
    if (is_exhausted_ || (is_whole && at_ != end_)) return record.size() > 0;
    at_ = start;
    line_ = first_line;
    refill();
  }
}

/// Returns false if the text in memory ends before the record. No cells mean the end of the file.
bool CsvScanner::scan(CsvRecord& record) {
  record.places_.clear();
  if (!keeps_empty_lines_ && !skip_empty_lines()) return false;
  if (at_ == end_) return false;
  record.line = line_;
  record.text_ = at_;
  do {
    if (!next_cell(record)) return false;
  } while (end_cell());
  return true;
}

// A line of spaces counts as empty.
bool CsvScanner::skip_empty_lines() {
  const char* start = at_;
  for (; at_ != end_ && (is_space(*at_) || *at_ == '\r' || *at_ == '\n'); ++at_) {
    if (*at_ != '\n') continue;
    ++line_;
    start = at_ + 1;
  }
  if (at_ == end_) return false;
  at_ = start;
  return true;
}

bool CsvScanner::next_cell(CsvRecord& record) {
  const char* const start = at_;
  skip_spaces();
  if (at_ != end_ && *at_ == '"') return quoted_cell(record);
  if (delimiter_ != any_whitespace) at_ = start;  // the raw text begins here
  plain_cell(record);
  return true;
}

bool CsvScanner::quoted_cell(CsvRecord& record) {
  const Index opening_line = line_;
  const char* start = ++at_;
  bool has_doubled_quotes = false;
  while (true) {
    const void* found = at_ == end_ ? nullptr : std::memchr(at_, '"', to_size(end_ - at_));
    if (!found && !is_exhausted_) return false;
    if (!found) throw IoError(message(name_, ":", opening_line, ": a quote is not closed"));
    const char* quote = static_cast<const char*>(found);
    line_ += std::count(at_, quote, '\n');
    at_ = quote + 1;
    if (at_ == end_ || *at_ != '"') break;
    has_doubled_quotes = true;
    ++at_;
  }
  record.add(start, at_ - 1, true, has_doubled_quotes);
  if (delimiter_ != any_whitespace) skip_spaces();
  const bool ended = at_ == end_ || is_delimiter(*at_) || *at_ == '\n' || *at_ == '\r';
  if (!ended) throw IoError(message(name_, ":", line_, ": unexpected text after a closing quote"));
  return true;
}

void CsvScanner::plain_cell(CsvRecord& record) {
  const char* const start = at_;
  if (delimiter_ == any_whitespace) {
    while (at_ != end_ && !is_delimiter(*at_) && *at_ != '\n') ++at_;
  } else {
    while (at_ != end_ && *at_ != delimiter_ && *at_ != '\n') ++at_;
  }
  const char* stop = at_;
  const bool at_line_end = at_ == end_ || *at_ == '\n';
  if (at_line_end && stop != start && stop[-1] == '\r') --stop;
  record.add(start, stop, false, false);
}

// Skips the end of a cell; returns true if another cell of the record follows.
bool CsvScanner::end_cell() {
  if (delimiter_ == any_whitespace) skip_spaces();
  const char* const cell_end = at_;
  if (delimiter_ != any_whitespace && at_ != end_ && *at_ == delimiter_) {
    ++at_;
    return true;
  }
  if (at_ != end_ && *at_ == '\r') ++at_;
  if (at_ != end_ && *at_ != '\n') {
    if (delimiter_ == any_whitespace && at_ == cell_end) return true;
    throw IoError(message(name_, ":", line_, ": unexpected text after a CR"));
  }
  if (at_ != end_) {
    ++at_;
    ++line_;
  }
  return false;
}

void CsvScanner::skip_spaces() {
  while (at_ != end_ && is_space(*at_)) ++at_;
}

bool CsvScanner::is_delimiter(char c) const {
  return delimiter_ == any_whitespace ? c == ' ' || c == '\t' : c == delimiter_;
}

/// Spaces around cells have no meaning.
bool CsvScanner::is_space(char c) const {
  if (c == ' ') return delimiter_ != ' ';
  return c == '\t' && delimiter_ == any_whitespace;
}

std::string cell_text(const CsvCell& cell) { return unescaped(cell.text, cell.has_doubled_quotes); }

std::string raw_cell_text(const CsvCell& cell) {
  return unescaped(cell.raw, cell.has_doubled_quotes);
}

}  // namespace lbw
