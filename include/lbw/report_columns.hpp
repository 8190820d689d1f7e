// SPDX-License-Identifier: MIT
// The tables of a report as lists of named columns. The JSON of the program, the tables of Python
// and the printed text are made from these lists, so a quantity has the same name in all of them.
#pragma once

#include <lbw/report.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lbw {

/// The type of the cells of a column.
enum class ColumnType {
  group,     ///< the name of a group
  boolean,   ///< true or false
  integer,   ///< a whole number
  number,    ///< a number
  text,      ///< a sentence
  integers,  ///< a list of whole numbers
};

template <>
struct EnumNames<ColumnType> {
  static constexpr std::string_view option = "column_type";
  static constexpr NamedValue<ColumnType> values[] = {
      {ColumnType::group, "group"},     {ColumnType::boolean, "boolean"},
      {ColumnType::integer, "integer"}, {ColumnType::number, "number"},
      {ColumnType::text, "text"},       {ColumnType::integers, "integers"}};
};

/// One value of a table. It is empty if the quantity does not apply to the row.
using ReportCell = std::variant<std::monostate, bool, Index, double, std::string, std::vector<int>>;

/// One column of the table that has a Row per line.
template <typename Row>
struct ReportColumn {
  std::string_view name;
  ColumnType type = ColumnType::number;
  ReportCell (*cell)(const Row& row) = nullptr;
  bool is_printed = true;  ///< whether describe() shows it
};

/// The columns of the table whose rows have this type, in their order.
template <typename Row>
[[nodiscard]] std::span<const ReportColumn<Row>> report_columns() = delete;
template <>
[[nodiscard]] std::span<const ReportColumn<ComponentReport>> report_columns();
template <>
[[nodiscard]] std::span<const ReportColumn<PairReport>> report_columns();
template <>
[[nodiscard]] std::span<const ReportColumn<CarryReport>> report_columns();
template <>
[[nodiscard]] std::span<const ReportColumn<SeparationReport>> report_columns();
template <>
[[nodiscard]] std::span<const ReportColumn<Finding>> report_columns();

/// Calls visit(name, rows) for every table of a report, in the order in which they are printed.
template <typename Visit>
void visit_tables(const Report& report, Visit&& visit) {
  visit(std::string_view("components"), report.components);
  visit(std::string_view("pairs"), report.pairs);
  visit(std::string_view("carried"), report.carries);
  visit(std::string_view("separations"), report.separations);
  visit(std::string_view("verdict"), report.verdict);
}

}  // namespace lbw
