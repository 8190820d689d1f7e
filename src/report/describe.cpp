// SPDX-License-Identifier: MIT
#include <lbw/report.hpp>
#include <type_traits>

#include "report/words.hpp"

namespace lbw {

namespace {

/// A cell as people read it. Lists of numbers are not printed.
std::string text_of(const ReportCell& cell, ColumnType type) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<double>(&cell)) return rounded(*number);
  if (const auto* number = std::get_if<Index>(&cell)) return std::to_string(*number);
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth ? "yes" : "no";
  return type == ColumnType::group ? "(barycenter)" : "none";
}

template <typename Row>
std::string table_text(const std::vector<Row>& rows, std::size_t most_rows) {
  std::vector<TextTable::Column> headers;
  for (const ReportColumn<Row>& column : report_columns<Row>()) {
    if (!column.is_printed) continue;
    headers.push_back({std::string(column.name), column.type == ColumnType::group});
  }
  TextTable table(std::move(headers));
  for (const Row& row : rows) {
    std::vector<std::string> cells;
    for (const ReportColumn<Row>& column : report_columns<Row>()) {
      if (column.is_printed) cells.push_back(text_of(column.cell(row), column.type));
    }
    table.add(std::move(cells));
  }
  return table.text(most_rows);
}

std::string verdict_text(const Report& report) {
  std::string text = "verdict\n";
  for (const Finding& finding : report.verdict) {
    text += std::string(finding.warning ? "  ! " : "  - ") + finding.text + "\n";
  }
  return text;
}

}  // namespace

std::string describe(const Report& report, std::size_t most_rows) {
  std::string text;
  visit_tables(report, [&]<typename Row>(std::string_view, const std::vector<Row>& rows) {
    if constexpr (std::is_same_v<Row, Finding>) {
      text += verdict_text(report);
    } else if (!rows.empty()) {
      text += table_text(rows, most_rows) + "\n";
    }
  });
  return text;
}

}  // namespace lbw
