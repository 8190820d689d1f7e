// SPDX-License-Identifier: MIT
#include "io/csv_delimiter.hpp"

#include <algorithm>
#include <lbw/io.hpp>
#include <lbw/types.hpp>
#include <vector>

#include "core/message.hpp"
#include "io/csv_cells.hpp"
#include "io/csv_format.hpp"
#include "io/excerpt.hpp"

namespace lbw {

namespace {

constexpr std::size_t most_lines = 4;

bool is_blank(const std::string& line) { return line.find_first_not_of(' ') == std::string::npos; }

/// The first lines that are not empty, without what stands in quotes.
std::vector<std::string> first_lines(std::string_view text) {
  std::vector<std::string> lines = {""};
  bool in_quotes = false;
  for (const char c : text.substr(std::min(text.find_first_not_of(" \r\n"), text.size()))) {
    if (c == '"') in_quotes = !in_quotes;
    if (c == '\n' && !in_quotes) {
      if (lines.size() == most_lines) break;
      if (is_blank(lines.back())) lines.pop_back();
      lines.emplace_back();
    } else if (!in_quotes && c != '\r') {
      lines.back() += c;
    }
  }
  if (lines.size() > 1 && is_blank(lines.back())) lines.pop_back();
  return lines;
}

/// Whether a delimiter occurs equally often in all lines.
bool agrees(const std::vector<std::string>& lines, char delimiter) {
  const auto count = std::ranges::count(lines.front(), delimiter);
  return count > 0 && std::ranges::all_of(lines, [&](const std::string& line) {
           return std::ranges::count(line, delimiter) == count;
         });
}

std::vector<std::string_view> split_at(std::string_view line, std::string_view delimiters) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t at = line.find_first_of(delimiters);
    cells.push_back(line.substr(0, at));
    if (at == std::string_view::npos) return cells;
    line.remove_prefix(at + 1);
  }
}

/// The delimiter beside which commas look like decimal marks, in words; empty if there is none.
std::string_view beside_decimal_commas(std::string_view line) {
  for (const char delimiter : {';', '\t'}) {
    const std::vector<std::string_view> cells = split_at(line, {&delimiter, 1});
    if (cells.size() > 1 && std::ranges::any_of(cells, has_decimal_comma)) {
      return delimiter == ';' ? "semicolons" : "tabs";
    }
  }
  const std::vector<std::string_view> words = split_at(line, " ");
  const bool are_numbers = std::ranges::all_of(words, [](std::string_view word) {
    return word.empty() || has_decimal_comma(word) || csv_number(word);
  });
  const auto n_commas = std::ranges::count_if(words, has_decimal_comma);
  return are_numbers && n_commas > 0 && words.size() > 1 ? "spaces" : "";
}

void refuse_decimal_commas(std::string_view line, const std::string& name) {
  const std::string_view separated_by = beside_decimal_commas(line);
  if (separated_by.empty()) return;
  throw IoError(message(name,
                        ": the first line looks like numbers with decimal commas, separated by ",
                        separated_by, "; use the option decimal=','",
                        separated_by == "spaces" ? " and the option delimiter=whitespace" : "",
                        ", or the option delimiter=',' if commas separate the cells"));
}

}  // namespace

char detected_delimiter(std::string_view text, char decimal, const std::string& name) {
  const std::vector<std::string> lines = first_lines(text);
  const std::string& line = lines.front();
  char chosen = decimal == ',' ? ';' : ',';
  auto most = std::ranges::count(line, chosen);
  for (const char delimiter : {';', '\t'}) {
    const auto count = std::ranges::count(line, delimiter);
    if (count <= most) continue;
    chosen = delimiter;
    most = count;
  }
  const bool is_doubtful = lines.size() > 1 && most > 0 && !agrees(lines, chosen);
  for (const char delimiter : {'\t', ';', ','}) {
    if (is_doubtful && delimiter != decimal && agrees(lines, delimiter)) chosen = delimiter;
  }
  if (chosen == ',') refuse_decimal_commas(line, name);
  return chosen;
}

DelimiterLine delimiter_line(std::string_view text, char decimal, const std::string& name) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return {};
  std::string_view line = text.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!line.starts_with("sep=") && !line.starts_with("SEP=")) return {};
  line.remove_prefix(4);
  const bool is_delimiter = line.size() == 1 && is_csv_delimiter(line.front());
  if (!is_delimiter || line.front() == decimal) {
    throw IoError(message(name, ":1: sep=", excerpt(line), " names no delimiter",
                          is_delimiter ? " besides the decimal mark" : "",
                          "; remove the line, or correct it"));
  }
  return {.length = end + 1, .delimiter = line.front()};
}

}  // namespace lbw
