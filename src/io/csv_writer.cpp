// SPDX-License-Identifier: MIT
#include <array>
#include <charconv>
#include <cmath>
#include <lbw/io.hpp>
#include <ostream>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "io/atomic_file.hpp"

namespace lbw {

namespace {

bool has_groups(const Table& table) { return !table.groups.empty() || !table.group_column.empty(); }

void check_table(const Table& table) {
  const std::size_t n_rows = to_size(table.values.rows());
  const std::size_t n_features = to_size(table.values.cols());
  require(n_features > 0, "write_csv: table has no columns");
  require(table.feature_names.empty() || table.feature_names.size() == n_features,
          "write_csv: feature_names has ", counted(table.feature_names.size(), "entry"),
          ", expected ", n_features);
  require(!has_groups(table) || table.groups.size() == n_rows, "write_csv: groups has ",
          counted(table.groups.size(), "entry"), ", expected ", n_rows);
  for (Index row = 0; row < table.values.rows(); ++row) {
    for (Index column = 0; column < table.values.cols(); ++column) {
      require(std::isfinite(table.values(row, column)), "write_csv: values contains ",
              table.values(row, column), " at row ", row, ", column ", column,
              " (counted from 0), expected finite values");
    }
  }
}

// All three delimiters need quotes, because readers guess the delimiter.
bool needs_quotes(std::string_view text) {
  return text.empty() || text.find_first_of(",;\t\"\r\n") != std::string_view::npos ||
         text.front() == ' ' || text.back() == ' ' || text.front() == '\xEF';
}

void append_text(std::string& line, std::string_view text) {
  require(text.find('\0') == std::string_view::npos,
          "write_csv: a name contains a NUL byte, which CSV readers reject");
  if (!needs_quotes(text)) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    line += c;
    if (c == '"') line += c;
  }
  line += '"';
}

void append_number(std::string& line, double value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  line.append(buffer.data(), result.ptr);
}

void append_header(std::string& text, const Table& table) {
  for (std::size_t i = 0; i < table.feature_names.size(); ++i) {
    if (i > 0) text += ',';
    append_text(text, table.feature_names[i]);
  }
  if (has_groups(table)) {
    text += ',';
    append_text(text, table.group_column);
  }
  text += '\n';
}

void append_row(std::string& text, const Table& table, Index row) {
  for (Index column = 0; column < table.values.cols(); ++column) {
    if (column > 0) text += ',';
    append_number(text, table.values(row, column));
  }
  if (has_groups(table)) {
    text += ',';
    append_text(text, at(table.groups, row));
  }
  text += '\n';
}

template <typename Write>
void write_table(const Table& table, const Write& write) {
  check_table(table);
  std::string text;
  if (!table.feature_names.empty()) append_header(text, table);
  for (Index row = 0; row < table.values.rows(); ++row) {
    append_row(text, table, row);
    if (text.size() < FileWriter::flush_at) continue;
    write(text);
    text.clear();
  }
  write(text);
}

}  // namespace

void write_csv(const std::filesystem::path& path, const Table& table) {
  FileWriter file(path);
  write_table(table, [&](const std::string& text) { file.write(text); });
  file.commit();
}

void write_csv(std::ostream& output, const Table& table) {
  write_table(table, [&](const std::string& text) { output << text; });
  // a full disk is detected only when the last buffer is written
  output.flush();
  if (!output) throw IoError("write_csv: cannot write to the stream; is the disk full?");
}

}  // namespace lbw
