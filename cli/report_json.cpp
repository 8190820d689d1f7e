// SPDX-License-Identifier: MIT
#include "cli/report_json.hpp"

#include <lbw/report.hpp>
#include <type_traits>

namespace lbw::cli {

namespace {

Json cell_to_json(const ReportCell& cell) {
  return std::visit(
      []<typename Value>(const Value& value) {
        if constexpr (std::is_same_v<Value, std::monostate>) {
          return Json(nullptr);
        } else {
          return Json(value);
        }
      },
      cell);
}

template <typename Row>
Json rows_to_json(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows) {
    Json& entry = list.emplace_back(Json::object());
    for (const ReportColumn<Row>& column : report_columns<Row>()) {
      entry[std::string(column.name)] = cell_to_json(column.cell(row));
    }
  }
  return list;
}

}  // namespace

void add_report(const Report& report, Json& json) {
  const bool has_samples = !report.carries.empty();
  json["barycentric_weights"] = has_samples ? Json(report.barycentric_weights) : Json(nullptr);
  visit_tables(report, [&](std::string_view name, const auto& rows) {
    json[std::string(name)] = rows_to_json(rows);
  });
}

}  // namespace lbw::cli
