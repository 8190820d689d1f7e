// SPDX-License-Identifier: MIT
#include "cli/narrow.hpp"

#include <algorithm>
#include <vector>

#include "cli/system.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

constexpr std::string_view gap = "  ";  // between the cells of a table

using Lines = std::vector<std::string>;

/// Columns of the terminal, from the first to the one behind the last.
struct Field {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t width() const { return end - begin; }
};

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

std::string without_trailing_spaces(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// Where the first gap of a line ends its first cell; npos for a line that is not of a table.
std::size_t end_of_first_cell(std::string_view line) {
  const std::size_t at = line.find(gap, indent_of(line));
  return at == std::string_view::npos || line.find_first_not_of(' ', at) == std::string_view::npos
             ? std::string_view::npos
             : at;
}

bool is_of_table(std::string_view line) {
  return end_of_first_cell(line) != std::string_view::npos;
}

/// The fields that gaps in all lines separate.
std::vector<Field> fields_of(const std::vector<Lines>& rows) {
  std::size_t width = 0;
  for (const Lines& row : rows) width = std::max(width, row.size());
  const auto is_blank = [&](std::size_t at) {
    return std::ranges::all_of(
        rows, [at](const Lines& row) { return at >= row.size() || row[at] == " "; });
  };
  std::vector<Field> fields = {{0, 0}};  // the first has the indent of the lines
  for (std::size_t at = 0; at < width; ++at) {
    if (is_blank(at)) continue;
    const bool is_next = fields.back().end > 0 && at >= fields.back().end + gap.size();
    if (is_next) fields.push_back({at, at});
    fields.back().end = at + 1;
  }
  return fields;
}

std::string cell_of(const Lines& row, const Field& field) {
  std::string cell;
  for (std::size_t at = field.begin; at < field.end; ++at) cell += at < row.size() ? row[at] : " ";
  return cell;
}

/// Breaks a line that is too long between words. A first cell has a line of its own.
void append_wrapped(std::string_view line, std::size_t width, std::string& text) {
  std::size_t indent = indent_of(line);
  const std::size_t end = end_of_first_cell(line);
  if (end != std::string_view::npos) {
    text += std::string(line.substr(0, end)) + "\n";
    line.remove_prefix(end);
    indent += gap.size();
  }
  std::string words;
  for (const std::string& word : split(line, ' ')) {
    if (!word.empty()) words += (words.empty() ? "" : " ") + word;
  }
  const std::size_t own_width = width > indent + 1 ? width - indent : 1;
  for (const std::string& part : wrapped_lines(words, own_width)) {
    text += std::string(indent, ' ') + part + "\n";
  }
}

/// Appends the rows of a table in parts that fit, or nothing if a column is too wide for that.
bool append_parts(const std::vector<Lines>& rows, std::size_t width, std::string& text) {
  const std::vector<Field> fields = fields_of(rows);
  const std::size_t rest = fields.front().width() + gap.size();
  for (std::size_t f = 1; f < fields.size(); ++f) {
    if (rest + fields[f].width() > width) return false;
  }
  if (fields.size() < 2) return false;
  for (std::size_t first = 1; first < fields.size();) {
    std::size_t last = first;
    std::size_t used = fields.front().width();
    while (last < fields.size() && used + gap.size() + fields[last].width() <= width) {
      used += gap.size() + fields[last++].width();
    }
    if (first > 1) text += "\n";
    for (const Lines& row : rows) {
      std::string line = cell_of(row, fields.front());
      for (std::size_t f = first; f < last; ++f) line += std::string(gap) + cell_of(row, fields[f]);
      text += without_trailing_spaces(line) + "\n";
    }
    first = last;
  }
  return true;
}

void append_table(const Lines& lines, std::size_t width, std::string& text) {
  const auto fits = [&](const std::string& line) { return display_width(line) <= width; };
  std::vector<Lines> rows;
  for (const std::string& line : lines) rows.push_back(by_columns(line));
  if (!std::ranges::all_of(lines, fits) && append_parts(rows, width, text)) return;
  for (const std::string& line : lines) {
    if (fits(line)) {
      text += line + "\n";
    } else {
      append_wrapped(line, width, text);
    }
  }
}

}  // namespace

std::string fitted_lines(std::string_view text, std::size_t width) {
  std::string result;
  Lines table;
  const auto end_table = [&] {
    append_table(table, width, result);
    table.clear();
  };
  const bool is_ended = text.ends_with('\n');
  if (is_ended) text.remove_suffix(1);
  for (const std::string& line : split(text, '\n')) {
    if (!is_of_table(line)) end_table();
    table.push_back(line);
    if (!is_of_table(line)) end_table();
  }
  end_table();
  if (!is_ended) result.pop_back();
  return result;
}

std::string for_terminal(const std::string& text, std::FILE* stream) {
  if (!system::is_terminal(stream)) return text;
  return fitted_lines(text, terminal_width(stream));
}

}  // namespace lbw::cli
