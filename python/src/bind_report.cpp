// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <lbw/report.hpp>
#include <lbw/types.hpp>
#include <type_traits>

#include "arrays.hpp"
#include "bind.hpp"
#include "groups.hpp"
#include "interpreter_lock.hpp"
#include "watched.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

Report report_watched(const TransportModel& model, const std::vector<std::string>& names,
                      const std::vector<SampleArray>& samples, const ReportOptions& asked,
                      const WeightList& sample_weights) {
  const std::vector<Group> groups = groups_of(names, samples, sample_weights, "report");
  ReportOptions options = asked;
  Report result;
  WatchedWork().run([&](const std::stop_token& stop) {
    options.execution.stop = stop;
    result = report(model, groups, options);
  });
  return result;
}

std::optional<std::string> warning_watched(const TransportModel& model,
                                           const std::vector<std::string>& names,
                                           const std::vector<SampleArray>& samples,
                                           const std::vector<double>& weights, int n_threads,
                                           const WeightList& sample_weights) {
  const std::vector<Group> groups =
      groups_of(names, samples, sample_weights, "displacement_warning");
  const Unlocked unlocked;
  return displacement_warning(model, groups, weights, {.n_threads = n_threads});
}

std::optional<std::string> far_values(const TransportModel& model,
                                      const std::vector<std::string>& names,
                                      const std::vector<SampleArray>& samples,
                                      const WeightList& sample_weights) {
  const std::vector<Group> groups = groups_of(names, samples, sample_weights, "far_values_warning");
  const Unlocked unlocked;
  return far_values_warning(model, groups);
}

nb::object object_of(const ReportCell& cell) {
  return std::visit(
      []<typename Value>(const Value& value) -> nb::object {
        if constexpr (std::is_same_v<Value, std::monostate>) {
          return nb::none();
        } else {
          return nb::cast(value);
        }
      },
      cell);
}

nb::str name_of(std::string_view name) { return nb::str(name.data(), name.size()); }

template <typename Row>
nb::list rows_of(const std::vector<Row>& rows) {
  nb::list list;
  for (const Row& row : rows) {
    nb::dict cells;
    for (const ReportColumn<Row>& column : report_columns<Row>()) {
      cells[name_of(column.name)] = object_of(column.cell(row));
    }
    list.append(cells);
  }
  return list;
}

nb::dict tables_of(const Report& report) {
  nb::dict tables;
  visit_tables(report, [&](std::string_view name, const auto& rows) {
    tables[name_of(name)] = rows_of(rows);
  });
  return tables;
}

/// The names and types of the columns of every table, which an empty report shows too.
nb::dict columns_of_tables() {
  nb::dict tables;
  visit_tables(Report(), [&]<typename Row>(std::string_view name, const std::vector<Row>&) {
    nb::dict types;
    for (const ReportColumn<Row>& column : report_columns<Row>()) {
      types[name_of(column.name)] = name_of(to_string(column.type));
    }
    tables[name_of(name)] = types;
  });
  return tables;
}

void bind_options(nb::module_& m) {
  nb::class_<ReportOptions>(m, "ReportOptions", "Options of a report.")
      .def(nb::init<>())
      .def_rw("most_samples", &ReportOptions::most_samples)
      .def_rw("n_directions", &ReportOptions::n_directions)
      .def_rw("n_permutations", &ReportOptions::n_permutations)
      .def_rw("barycentric_weights", &ReportOptions::barycentric_weights)
      .def_rw("seed", &ReportOptions::seed)
      .def_prop_rw(
          "n_threads", [](const ReportOptions& o) { return o.execution.n_threads; },
          [](ReportOptions& o, int n_threads) { o.execution.n_threads = n_threads; });
}

}  // namespace

void bind_report(nb::module_& m) {
  bind_options(m);
  nb::class_<Report>(m, "Report", "A report on a fitted model; tables are lists of rows.")
      .def_prop_ro("tables", &tables_of,
                   "Rows by the name of their table; a row is a dictionary by column.")
      .def_ro("barycentric_weights", &Report::barycentric_weights)
      .def(
          "text", [](const Report& r, std::size_t most_rows) { return describe(r, most_rows); },
          "most_rows"_a = 0, "The tables and the verdict as text.");
  m.def("report_columns", &columns_of_tables,
        nb::sig("def report_columns() -> dict[str, dict[str, str]]"),
        "The type of every column, by the names of its table and of the column.");
  m.def("report", &report_watched, "model"_a, "names"_a, "samples"_a, "options"_a,
        "sample_weights"_a = WeightList{},
        "Report on a model and, if samples are given, evaluate it on them.");
  m.def("displacement_warning", &warning_watched, "model"_a, "names"_a, "samples"_a,
        "barycentric_weights"_a, "n_threads"_a = 0, "sample_weights"_a = WeightList{},
        "A warning if the maps of a model move samples too far.");
  m.def("far_values_warning", &far_values, "model"_a, "names"_a, "samples"_a,
        "sample_weights"_a = WeightList{},
        "A warning if a few values of a feature are very far from all others.");
  m.def("fit_warnings", &fit_warnings, "model"_a, "Warnings about the fit of a model.");
}

}  // namespace lbw::python
