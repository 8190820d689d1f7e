// SPDX-License-Identifier: MIT
#include <algorithm>
#include <istream>
#include <lbw/io.hpp>
#include <lbw/samples.hpp>
#include <limits>
#include <utility>

#include "core/message.hpp"
#include "io/byte_source.hpp"
#include "io/csv_cells.hpp"
#include "io/csv_columns.hpp"
#include "io/csv_format.hpp"
#include "io/csv_scanner.hpp"
#include "io/excerpt.hpp"

namespace lbw {

namespace {

// A first line of many columns must not claim memory for many rows.
constexpr Index first_values = 1024;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The file that is being read.
struct CsvFile {
  std::string name;
  const CsvOptions& options;
  char delimiter = ',';
  CsvColumns columns = {};
};

std::string place_of(const CsvRecord& record, std::size_t column, const CsvFile& file) {
  const TextList& names = file.columns.names;
  const std::string header = names.empty() ? "" : message(" (", excerpt(names[column]), ")");
  return message(file.name, ":", record.line, ": column ", column + 1, header, ": ");
}

/// What to do about a line of another length that has other delimiters in its cells.
std::string delimiter_advice(const CsvRecord& record, const CsvFile& file) {
  constexpr std::pair<char, const char*> others[] = {
      {';', "; if semicolons separate the cells, use the option delimiter=';'"},
      {'\t', "; if tabs separate the cells, use the option delimiter=tab"},
      {',', "; if commas separate the cells, use the option delimiter=','"}};
  for (const auto& [delimiter, advice] : others) {
    if (delimiter == file.delimiter || delimiter == file.options.decimal) continue;
    for (std::size_t column = 0; column < record.size(); ++column) {
      const CsvCell cell = record[column];
      if (!cell.is_quoted && cell.raw.find(delimiter) != std::string_view::npos) return advice;
    }
  }
  return "";
}

void check_length(const CsvRecord& record, const CsvFile& file) {
  if (record.size() == file.columns.count) return;
  throw IoError(message(file.name, ":", record.line, ": ", counted(record.size(), "cell"),
                        ", expected ", file.columns.count, " as in line ", file.columns.first_line,
                        delimiter_advice(record, file)));
}

[[noreturn]] void refuse_cell(const CsvRecord& record, std::size_t column, const CsvFile& file) {
  const CsvCell cell = record[column];
  const std::string place = place_of(record, column, file);
  if (is_missing(cell.text)) {
    throw IoError(message(place, cell.text.empty() ? "the cell is empty" : excerpt(cell.text),
                          cell.text.empty() ? "" : " is a missing value",
                          "; fill it in, or skip such rows with the option missing=skip"));
  }
  throw IoError(message(place, "\"", excerpt(cell_text(cell)), "\" is not a finite number; ",
                        advice_on(cell.text, file.delimiter, file.options.decimal)));
}

/// Whether a cell is text for CsvOptions::quoted_is_text. "" is a missing value.
bool is_quoted_text(const CsvCell& cell) { return cell.is_quoted && !cell.text.empty(); }

/// Refuses a cell in quotes where the file has only text in quotes.
void check_unquoted(const CsvRecord& record, std::size_t column, const CsvFile& file) {
  const CsvCell cell = record[column];
  if (!file.options.quoted_is_text || !is_quoted_text(cell)) return;
  throw IoError(message(place_of(record, column, file), "\"", excerpt(cell_text(cell)),
                        "\" is text, expected a number; exclude columns of text, or convert them "
                        "to numbers"));
}

[[noreturn]] void refuse_rounded(const CsvRecord& record, std::size_t column, const CsvFile& file) {
  throw IoError(message(place_of(record, column, file), excerpt(record[column].text),
                        " is a whole number that double precision rounds; exclude the column if it "
                        "has identifiers, or write its numbers with an exponent"));
}

/// Returns whether no value is missing.
bool read_row(const CsvRecord& record, const CsvFile& file, double* row) {
  bool is_complete = true;
  for (const std::size_t column : file.columns.features) {
    check_unquoted(record, column, file);
    const std::string_view text = record[column].text;
    std::optional<double> value = csv_number(text, file.options.decimal);
    if (!value) value = csv_boolean(text);
    if (!value) {
      if (file.options.missing == MissingValues::error || !is_missing(text)) {
        refuse_cell(record, column, file);
      }
      is_complete = false;
    } else if (is_rounded_whole_number(text, *value)) {
      refuse_rounded(record, column, file);
    }
    *row++ = value.value_or(not_a_number);
  }
  return is_complete;
}

/// The group of a row; empty if it is missing.
std::string read_group(const CsvRecord& record, const CsvFile& file) {
  const std::size_t column = *file.columns.group;
  std::string group = raw_cell_text(record[column]);
  if (record[column].text.empty()) group.clear();
  if (group.empty() && file.options.missing == MissingValues::error) {
    throw IoError(
        message(place_of(record, column, file),
                "the group is empty; fill it in, or skip such rows with the option missing=skip"));
  }
  if (has_control_character(group)) {
    throw IoError(message(place_of(record, column, file), "the group \"", excerpt(group),
                          "\" contains a control character; remove it"));
  }
  if (!is_utf8(group)) {
    throw IoError(message(place_of(record, column, file), "the group \"", excerpt(group), "\" ",
                          utf8_advice));
  }
  return group;
}

std::uint64_t read_key(const CsvRecord& record, const CsvFile& file) {
  const std::string key = cell_text(record[*file.columns.key]);
  if (key.empty()) {
    throw IoError(message(place_of(record, *file.columns.key, file), "the key is empty"));
  }
  return row_key(key);
}

/// The weight of a row; none if it is missing.
std::optional<double> read_weight(const CsvRecord& record, const CsvFile& file) {
  check_unquoted(record, *file.columns.weight, file);
  const CsvCell cell = record[*file.columns.weight];
  const std::optional<double> weight = csv_number(cell.text, file.options.decimal);
  if (weight && *weight >= 0.0) return weight;
  if (file.options.missing != MissingValues::error && is_missing(cell.text)) return std::nullopt;
  throw IoError(message(place_of(record, *file.columns.weight, file), "\"",
                        excerpt(cell_text(cell)),
                        "\" is not a weight, expected a finite number >= 0"));
}

Table empty_table(const CsvColumns& columns, const CsvOptions& options) {
  Table table;
  if (!columns.names.empty()) {
    table.feature_names.reserve(columns.features.size());
    for (const std::size_t column : columns.features) {
      table.feature_names.emplace_back(columns.names[column]);
    }
  }
  if (columns.group) {
    table.group_column =
        columns.names.empty() ? options.group_column : std::string(columns.names[*columns.group]);
  }
  table.values.resize(0, static_cast<Index>(columns.features.size()));
  table.others.count = columns.others.size();
  table.others.cells.reserve(columns.others.size());
  table.others.has_quotes.assign(columns.others.size(), false);
  for (const std::size_t column : columns.others) {
    if (!columns.names.empty()) table.others.names.push_back(columns.names[column]);
  }
  if (!options.keeps_others) return table;
  table.places.reserve(columns.features.size() + columns.others.size() + 1);
  table.places = columns.features;
  if (columns.group) table.places.push_back(*columns.group);
  table.places.insert(table.places.end(), columns.others.begin(), columns.others.end());
  return table;
}

/// Appends a row, unless a value is missing and such rows are left out.
void append_row(const CsvRecord& record, const CsvFile& file, Index& n_rows, Table& table) {
  check_length(record, file);
  if (n_rows == table.values.rows()) {
    const Index first_rows = std::max<Index>(1, first_values / (table.values.cols() + 1));
    table.values.conservativeResize(std::max(first_rows, 2 * n_rows), Eigen::NoChange);
  }
  double* const row = table.values.data() + n_rows * table.values.cols();  // of no column, perhaps
  bool is_complete = read_row(record, file, row);
  std::string group = file.columns.group ? read_group(record, file) : "";
  if (file.columns.group && group.empty()) {
    table.values.row(n_rows).setConstant(not_a_number);
    is_complete = false;
  }
  const std::optional<double> weight =
      file.columns.weight ? read_weight(record, file) : std::optional<double>();
  if (file.columns.weight && !weight) is_complete = false;
  if (!is_complete && file.options.missing == MissingValues::skip) {
    ++table.n_skipped_rows;
    return;
  }
  ++n_rows;
  if (file.columns.group) {
    table.groups.push_back(std::move(group));
    if (is_quoted_text(record[*file.columns.group])) table.group_has_quotes = true;
  }
  if (file.columns.key) table.keys.push_back(read_key(record, file));
  if (file.columns.weight) table.weights.push_back(weight.value_or(not_a_number));
  for (std::size_t i = 0; i < file.columns.others.size(); ++i) {
    const CsvCell cell = record[file.columns.others[i]];
    table.others.cells.push_back(raw_cell_text(cell));
    if (is_quoted_text(cell)) table.others.has_quotes[i] = true;
  }
}

/// In a file with one column, empty lines are missing values, also those before the first row.
void keep_empty_lines(CsvScanner& scanner, const CsvRecord& first, bool has_header,
                      const std::string& name) {
  scanner.keep_empty_lines();
  if (has_header || first.line == scanner.first_line()) return;
  throw IoError(message(name, ":", scanner.first_line(),
                        ": the line is empty, expected the first row of a table with one "
                        "column; remove the line, or write NA if the value is missing"));
}

Table read_source(std::unique_ptr<ByteSource> source, const std::string& name,
                  const CsvOptions& options) {
  check_notation("read_csv", options.delimiter, options.decimal);
  CsvScanner scanner(decompressed(std::move(source), name), name, options.delimiter,
                     options.decimal);
  CsvRecord record;
  if (!scanner.next(record)) throw IoError(message(name, ": the file is empty"));
  const bool has_header = is_header(record, options, name);
  const bool has_doubt =
      !has_header && options.header == CsvHeader::detect && may_be_header(record);
  CsvFile file{name, options, scanner.delimiter()};
  file.columns = choose_columns(record, has_header, options, name);
  if (file.columns.count == 1) keep_empty_lines(scanner, record, has_header, name);
  if (has_header && !scanner.next(record)) {
    throw IoError(message(name, ": the file has a header but no rows"));
  }
  check_length(record, file);
  Table table = empty_table(file.columns, options);
  table.may_have_header = has_doubt;
  Index n_rows = 0;
  do {
    append_row(record, file, n_rows, table);
  } while (scanner.next(record));
  if (n_rows == 0) {
    throw IoError(message(name, ": all ", counted(table.n_skipped_rows, "row"),
                          " have missing values, so none is left"));
  }
  table.values.conservativeResize(n_rows, Eigen::NoChange);
  return table;
}

}  // namespace

Table read_csv(const std::filesystem::path& path, const CsvOptions& options) {
  return read_source(open_file(path), path.string(), options);
}

Table read_csv(std::istream& input, const std::string& name, const CsvOptions& options) {
  return read_source(open_stream(input, name), name, options);
}

}  // namespace lbw
