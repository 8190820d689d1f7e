// SPDX-License-Identifier: MIT
#include <algorithm>
#include <istream>
#include <iterator>
#include <lbw/io.hpp>
#include <lbw/samples.hpp>

#include "core/message.hpp"
#include "io/atomic_file.hpp"
#include "io/csv_columns.hpp"
#include "io/csv_scanner.hpp"
#include "io/excerpt.hpp"
#include "io/file_kind.hpp"

namespace lbw {

namespace {

constexpr Index first_capacity = 1024;

void check_options(const CsvOptions& options) {
  const bool known =
      std::string_view(",;\t\0", 4).find(options.delimiter) != std::string_view::npos;
  require(known, "read_csv: delimiter is '", excerpt({&options.delimiter, 1}),
          "', expected a comma, a semicolon, a tab, or NUL to detect it");
}

std::string place_of(const CsvRecord& record, std::size_t column, const CsvColumns& columns,
                     const std::string& name) {
  const std::string header =
      columns.names.empty() ? "" : message(" (", excerpt(columns.names[column]), ")");
  return message(name, ":", record.line, ": column ", column + 1, header, ": ");
}

void check_length(const CsvRecord& record, const CsvColumns& columns, const std::string& name) {
  if (record.cells.size() == columns.count) return;
  throw IoError(message(name, ":", record.line, ": ", counted(record.cells.size(), "cell"),
                        ", expected ", columns.count, " as in line ", columns.first_line));
}

void read_row(const CsvRecord& record, const CsvColumns& columns, const std::string& name,
              double* row) {
  for (const std::size_t column : columns.features) {
    const std::string_view text = record.cells[column].text;
    const std::optional<double> value = parse_number(text);
    if (!value) {
      throw IoError(message(
          place_of(record, column, columns, name), "\"", excerpt(cell_text(record.cells[column])),
          "\" is not a finite number; fill in missing values, and exclude columns of text"));
    }
    *row++ = *value;
  }
}

std::string read_group(const CsvRecord& record, const CsvColumns& columns,
                       const std::string& name) {
  std::string group = cell_text(record.cells[*columns.group]);
  if (group.empty()) {
    throw IoError(message(place_of(record, *columns.group, columns, name), "the group is empty"));
  }
  return group;
}

std::uint64_t read_key(const CsvRecord& record, const CsvColumns& columns,
                       const std::string& name) {
  const std::string key = cell_text(record.cells[*columns.key]);
  if (key.empty()) {
    throw IoError(message(place_of(record, *columns.key, columns, name), "the key is empty"));
  }
  return row_key(key);
}

Table empty_table(const CsvColumns& columns, const CsvOptions& options) {
  Table table;
  if (!columns.names.empty()) {
    for (const std::size_t column : columns.features) {
      table.feature_names.push_back(columns.names[column]);
    }
  }
  if (columns.group) {
    table.group_column =
        columns.names.empty() ? options.group_column : columns.names[*columns.group];
  }
  table.values.resize(0, static_cast<Index>(columns.features.size()));
  if (!options.keeps_others) return table;
  for (const std::size_t column : columns.others) {
    table.others.push_back({columns.names.empty() ? "" : columns.names[column], {}});
  }
  table.places = columns.features;
  if (columns.group) table.places.push_back(*columns.group);
  table.places.insert(table.places.end(), columns.others.begin(), columns.others.end());
  return table;
}

Table read_text(std::string_view text, const std::string& name, const CsvOptions& options) {
  check_options(options);
  refuse_other_kinds(text, name, "CSV");
  CsvScanner scanner(text, name, options.delimiter);
  CsvRecord record;
  if (!scanner.next(record)) throw IoError(message(name, ": the file is empty"));
  const bool has_header = is_header(record, options);
  const CsvColumns columns = choose_columns(record, has_header, options, name);
  if (has_header && !scanner.next(record)) {
    throw IoError(message(name, ": the file has a header but no rows"));
  }
  Table table = empty_table(columns, options);
  Index n_rows = 0;
  do {
    check_length(record, columns, name);
    if (n_rows == table.values.rows()) {
      table.values.conservativeResize(std::max(first_capacity, 2 * n_rows), Eigen::NoChange);
    }
    read_row(record, columns, name, &table.values(n_rows++, 0));
    if (columns.group) table.groups.push_back(read_group(record, columns, name));
    if (columns.key) table.keys.push_back(read_key(record, columns, name));
    for (std::size_t i = 0; i < columns.others.size(); ++i) {
      table.others[i].cells.push_back(cell_text(record.cells[columns.others[i]]));
    }
  } while (scanner.next(record));
  table.values.conservativeResize(n_rows, Eigen::NoChange);
  return table;
}

}  // namespace

Table read_csv(const std::filesystem::path& path, const CsvOptions& options) {
  return read_text(read_file(path), path.string(), options);
}

Table read_csv(std::istream& input, const std::string& name, const CsvOptions& options) {
  const std::string text{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
  if (input.bad()) throw IoError(message("cannot read '", name, "': the stream failed"));
  return read_text(text, name, options);
}

}  // namespace lbw
