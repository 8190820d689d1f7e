// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <lbw/io.hpp>
#include <numeric>
#include <ostream>

#include "core/indexing.hpp"
#include "core/message.hpp"
#include "io/atomic_file.hpp"
#include "io/compress.hpp"
#include "io/csv_format.hpp"

namespace lbw {

namespace {

bool has_groups(const Table& table) { return !table.groups.empty() || !table.group_column.empty(); }

void check_values(const Table& table, bool allows_missing) {
  for (Index row = 0; row < table.values.rows(); ++row) {
    for (Index column = 0; column < table.values.cols(); ++column) {
      const double value = table.values(row, column);
      require(std::isfinite(value) || (allows_missing && std::isnan(value)),
              "write_csv: values contains ", value, " at row ", row, ", column ", column,
              " (counted from 0), expected finite values");
    }
  }
}

void check_table(const Table& table) {
  const std::size_t n_rows = to_size(table.values.rows());
  const std::size_t n_features = to_size(table.values.cols());
  require(n_features > 0, "write_csv: table has no columns");
  require(table.feature_names.empty() || table.feature_names.size() == n_features,
          "write_csv: feature_names has ", counted(table.feature_names.size(), "entry"),
          ", expected ", n_features);
  require(!has_groups(table) || table.groups.size() == n_rows, "write_csv: groups has ",
          counted(table.groups.size(), "entry"), ", expected ", n_rows);
  const TextColumns& others = table.others;
  require(others.cells.size() == n_rows * others.count, "write_csv: others has ",
          counted(others.cells.size(), "cell"), ", expected ", n_rows * others.count, " for ",
          counted(others.count, "column"), " and ", counted(n_rows, "row"));
  require(others.has_quotes.empty() || others.has_quotes.size() == others.count,
          "write_csv: has_quotes has ", counted(others.has_quotes.size(), "entry"), ", expected ",
          others.count);
  require(others.names.empty() || others.names.size() == others.count, "write_csv: others has ",
          counted(others.names.size(), "name"), ", expected ", others.count);
}

// All delimiters that readers detect need quotes. So do the first characters of JSON, HTML, XML and
// PDF, because readers recognize such files by them, and of a line that names the delimiter.
bool needs_quotes(std::string_view text, char delimiter) {
  return text.empty() || text.find_first_of(",;\t\"\r\n") != std::string_view::npos ||
         text.find(delimiter) != std::string_view::npos || text.front() == ' ' ||
         text.back() == ' ' || text.starts_with("sep=") || text.starts_with("SEP=") ||
         std::string_view("[{<%\xEF").find(text.front()) != std::string_view::npos;
}

void check_text(std::string_view text) {
  require(text.find('\0') == std::string_view::npos,
          "write_csv: a name contains a NUL byte, which CSV readers reject");
}

void append_quoted(std::string& line, std::string_view text) {
  check_text(text);
  line += '"';
  for (const char c : text) {
    line += c;
    if (c == '"') line += c;
  }
  line += '"';
}

void append_text(std::string& line, std::string_view text, char delimiter) {
  if (needs_quotes(text, delimiter)) {
    append_quoted(line, text);
    return;
  }
  check_text(text);
  line += text;
}

void append_number(std::string& line, double value, char decimal) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::replace(buffer.data(), result.ptr, '.', decimal);
  line.append(buffer.data(), result.ptr);
}

/// The columns in the order of the file, by number: the features, the group if there is one, and
/// the columns of text. Numbers, because there may be millions of columns.
std::vector<std::size_t> order_of(const Table& table) {
  const std::size_t n_columns =
      to_size(table.values.cols()) + (has_groups(table) ? 1 : 0) + table.others.count;
  std::vector<std::size_t> order(n_columns);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (table.places.empty()) return order;
  require(table.places.size() == n_columns, "write_csv: places has ",
          counted(table.places.size(), "entry"), ", expected ", n_columns, ", one for each column");
  std::ranges::stable_sort(order, {}, [&](std::size_t column) { return table.places[column]; });
  return order;
}

/// Writes the lines of a table.
class Lines {
 public:
  Lines(const Table& table, const CsvFormat& format)
      : table_(table),
        order_(order_of(table)),
        n_features_(to_size(table.values.cols())),
        first_other_(n_features_ + (has_groups(table) ? 1 : 0)),
        delimiter_(format.delimiter == any_whitespace ? ' ' : format.delimiter),
        decimal_(format.decimal),
        quotes_text_(format.quotes_text),
        empty_cell_(format.delimiter == any_whitespace ? "NA" : "") {}

  void append_header(std::string& text) const {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (i > 0) text += delimiter_;
      append_text(text, name_of(order_[i]), delimiter_);
    }
    text += '\n';
  }

  void append_row(std::string& text, Index row) const {
    const std::size_t begin = text.size();
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (i > 0) text += delimiter_;
      append_cell(text, order_[i], row);
    }
    if (text.size() == begin) text += "\"\"";  // an empty line is easily lost
    text += '\n';
  }

 private:
  [[nodiscard]] std::string_view name_of(std::size_t column) const {
    if (column < n_features_) return table_.feature_names[column];
    if (column < first_other_) return table_.group_column;
    return table_.others.name(column - first_other_);
  }

  void append_cell(std::string& text, std::size_t column, Index row) const {
    if (column < n_features_) {
      const double value = table_.values(row, static_cast<Index>(column));
      if (std::isnan(value)) {
        text += empty_cell_;
      } else {
        append_number(text, value, decimal_);
      }
      return;
    }
    const std::string_view cell = column < first_other_
                                      ? std::string_view(at(table_.groups, row))
                                      : table_.others.cell(to_size(row), column - first_other_);
    if (cell.empty()) {
      text += empty_cell_;  // an empty cell stays one
    } else if (is_in_quotes(column)) {
      append_quoted(text, cell);
    } else {
      append_text(text, cell, delimiter_);
    }
  }

  [[nodiscard]] bool is_in_quotes(std::size_t column) const {
    if (!quotes_text_) return false;
    if (column < first_other_) return table_.group_has_quotes;
    const std::vector<bool>& has_quotes = table_.others.has_quotes;
    return !has_quotes.empty() && has_quotes[column - first_other_];
  }

  const Table& table_;
  std::vector<std::size_t> order_;
  std::size_t n_features_;
  std::size_t first_other_;
  char delimiter_;
  char decimal_;
  bool quotes_text_;
  std::string empty_cell_;
};

template <typename Write>
void write_table(const Table& table, const CsvFormat& format, const Write& write) {
  require(format.delimiter != '\0', "write_csv: delimiter is NUL, expected a character");
  check_notation("write_csv", format.delimiter, format.decimal);
  check_table(table);
  check_values(table, format.allows_missing);
  const Lines lines(table, format);
  std::string text;
  if (!table.feature_names.empty()) lines.append_header(text);
  for (Index row = 0; row < table.values.rows(); ++row) {
    lines.append_row(text, row);
    if (text.size() < flush_at) continue;
    write(text);
    text.clear();
  }
  write(text);
}

}  // namespace

void write_csv(const std::filesystem::path& path, const Table& table, const CsvFormat& format) {
  FileWriter file(path);
  const std::unique_ptr<Compressor> compressor = compressor_for(path);
  write_table(table, format, [&](const std::string& text) {
    file.write(compressor ? compressor->add(text, false) : text);
  });
  if (compressor) file.write(compressor->add("", true));
  file.commit();
}

void write_csv(std::ostream& output, const Table& table, const CsvFormat& format) {
  write_table(table, format, [&](const std::string& text) { output << text; });
  // a full disk is detected only when the last buffer is written
  output.flush();
  if (!output) throw IoError("write_csv: cannot write to the stream; is the disk full?");
}

}  // namespace lbw
