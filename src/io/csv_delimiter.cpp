// SPDX-License-Identifier: MIT
#include "io/csv_delimiter.hpp"

#include <algorithm>
#include <lbw/io.hpp>
#include <lbw/types.hpp>
#include <vector>

#include "core/message.hpp"
#include "io/csv_cells.hpp"

namespace lbw {

namespace {

/// The first line that is not empty, without what stands in quotes.
std::string first_line(std::string_view text) {
  std::string line;
  bool in_quotes = false;
  for (const char c : text.substr(std::min(text.find_first_not_of(" \r\n"), text.size()))) {
    if (c == '"') in_quotes = !in_quotes;
    if (c == '\n' && !in_quotes) break;
    if (!in_quotes && c != '\r') line += c;
  }
  return line;
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
  const std::string line = first_line(text);
  char chosen = decimal == ',' ? ';' : ',';
  auto most = std::ranges::count(line, chosen);
  for (const char delimiter : {';', '\t'}) {
    const auto count = std::ranges::count(line, delimiter);
    if (count <= most) continue;
    chosen = delimiter;
    most = count;
  }
  if (chosen == ',') refuse_decimal_commas(line, name);
  return chosen;
}

}  // namespace lbw
