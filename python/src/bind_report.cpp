// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <lbw/report.hpp>
#include <lbw/types.hpp>

#include "arrays.hpp"
#include "bind.hpp"
#include "watched.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lbw::python {

namespace {

std::vector<Group> groups_of(const std::vector<std::string>& names,
                             const std::vector<SampleArray>& samples) {
  if (samples.size() != names.size()) {
    throw InvalidArgument("report: names and samples have different lengths");
  }
  std::vector<Group> groups;
  for (std::size_t g = 0; g < names.size(); ++g) {
    groups.push_back({.name = names[g], .samples = view_of(samples[g], "samples")});
  }
  return groups;
}

Report report_watched(const TransportModel& model, const std::vector<std::string>& names,
                      const std::vector<SampleArray>& samples, const ReportOptions& asked) {
  const std::vector<Group> groups = groups_of(names, samples);
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
                                           const std::vector<double>& weights, int n_threads) {
  const std::vector<Group> groups = groups_of(names, samples);
  const nb::gil_scoped_release unlocked;
  return displacement_warning(model, groups, weights, {.n_threads = n_threads});
}

template <typename Row>
nb::list rows_of(const std::vector<Row>& rows, nb::dict (*to_dict)(const Row&)) {
  nb::list list;
  for (const Row& row : rows) list.append(to_dict(row));
  return list;
}

nb::dict component_row(const ComponentReport& component) {
  nb::dict row;
  row["group"] = component.group;
  row["component"] = component.component;
  row["mass"] = component.mass;
  row["n_samples"] = component.n_samples;
  row["condition"] = component.condition;
  return row;
}

nb::dict pair_row(const PairReport& pair) {
  const bool has = pair.matching.has_value();
  const MatchingReport matching = pair.matching.value_or(MatchingReport());
  nb::dict row;
  row["first"] = pair.first;
  row["second"] = pair.second;
  row["mixture_distance"] = pair.mixture_distance;
  row["coupling_cost"] = pair.coupling_cost;
  row["plan_cost"] = pair.plan_cost;
  row["matching_cost"] = has ? nb::cast(matching.cost) : nb::none();
  row["misplaced_mass"] = has ? nb::cast(matching.misplaced_mass) : nb::none();
  row["remaining_distance"] = has ? nb::cast(matching.remaining_distance) : nb::none();
  row["matching_total"] = has ? nb::cast(matching.total) : nb::none();
  row["runner_up_gap"] = has ? nb::cast(matching.gap) : nb::none();
  return row;
}

void add_null(nb::dict& row, const std::string& name, const PermutationNull& null) {
  const bool has = null.n_permutations > 0;
  row[(name + "_null_mean").c_str()] = has ? nb::cast(null.mean) : nb::none();
  row[(name + "_null_quantile").c_str()] = has ? nb::cast(null.quantile) : nb::none();
  row[(name + "_p_value").c_str()] = has ? nb::cast(null.p_value) : nb::none();
}

nb::object or_none(const std::optional<double>& value) {
  return value ? nb::cast(*value) : nb::none();
}

nb::dict carry_row(const CarryReport& carry) {
  nb::dict row;
  row["from"] = carry.from;
  row["to"] = carry.to.empty() ? nb::none() : nb::cast(carry.to);
  row["n_samples"] = carry.displacement.n_samples;
  row["mixture_distance"] = carry.mixture_distance;
  row["rms_displacement"] = carry.displacement.rms;
  row["largest_displacement"] = carry.displacement.largest;
  row["reach"] = carry.displacement.reach;
  row["farthest_reach"] = carry.displacement.farthest_reach;
  row["out_of_proportion"] = carry.displacement.out_of_proportion();
  row["log_likelihood"] = carry.log_likelihood;
  row["target_log_likelihood"] = carry.target_log_likelihood;
  row["target_log_likelihood_deviation"] = carry.target_log_likelihood_deviation;
  row["n_target_samples"] = carry.n_target_samples;
  row["sliced_before"] = carry.before ? nb::cast(carry.before->distance) : nb::none();
  row["sliced_after"] = carry.after ? nb::cast(carry.after->distance) : nb::none();
  add_null(row, "sliced_after", carry.after ? carry.after->null : PermutationNull());
  row["sliced_after_limit"] = or_none(carry.after_limit);
  return row;
}

nb::dict separation_row(const SeparationReport& pair) {
  nb::dict row;
  row["first"] = pair.first;
  row["second"] = pair.second;
  row["n_neighbors"] = pair.after.n_neighbors;
  row["auc_before"] = pair.before.auc;
  row["auc_after"] = pair.after.auc;
  add_null(row, "auc_after", pair.after.null);
  row["auc_after_limit"] = pair.auc_limit;
  row["sliced_before"] = pair.distance_before.distance;
  row["sliced_after"] = pair.distance_after.distance;
  add_null(row, "sliced_after", pair.distance_after.null);
  row["sliced_after_limit"] = or_none(pair.distance_limit);
  return row;
}

nb::dict finding_row(const Finding& finding) {
  nb::dict row;
  row["warning"] = finding.warning;
  row["text"] = finding.text;
  return row;
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
      .def_prop_ro("components",
                   [](const Report& r) { return rows_of(r.components, &component_row); })
      .def_prop_ro("pairs", [](const Report& r) { return rows_of(r.pairs, &pair_row); })
      .def_prop_ro("carries", [](const Report& r) { return rows_of(r.carries, &carry_row); })
      .def_prop_ro("separations",
                   [](const Report& r) { return rows_of(r.separations, &separation_row); })
      .def_prop_ro("verdict", [](const Report& r) { return rows_of(r.verdict, &finding_row); })
      .def_ro("barycentric_weights", &Report::barycentric_weights)
      .def(
          "text", [](const Report& r, std::size_t most_rows) { return describe(r, most_rows); },
          "most_rows"_a = 0, "The tables and the verdict as text.");
  m.def("report", &report_watched, "model"_a, "names"_a, "samples"_a, "options"_a,
        "Report on a model and, if samples are given, evaluate it on them.");
  m.def("displacement_warning", &warning_watched, "model"_a, "names"_a, "samples"_a,
        "barycentric_weights"_a, "n_threads"_a = 0,
        "A warning if the maps of a model move samples too far.");
  m.def("fit_warnings", &fit_warnings, "model"_a, "Warnings about the fit of a model.");
}

}  // namespace lbw::python
