// SPDX-License-Identifier: MIT
// lbw select: selects the number of mixture components for a set of samples.
#include <algorithm>
#include <cmath>
#include <lbw/fit_mixture.hpp>
#include <lbw/types.hpp>
#include <memory>
#include <set>

#include "cli/commands.hpp"
#include "cli/component_numbers.hpp"
#include "cli/describe.hpp"
#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

namespace lbw::cli {

namespace {

constexpr const char* select_examples = R"(Examples:
  Try 1 to 6 components and show the curve:
    lbw select A.csv --components 1:6 --criterion bic
  Try some numbers for one group of a table and write the curve to a file:
    lbw select table.csv --group-column site --group north --components 1,2,4 -o curve.csv
  Print only the number, for a script:
    lbw select A.csv --components 1:6 --quiet)";

constexpr std::size_t bar_width = 30;

struct SelectCommand {
  CommonOptions common;
  CsvOptions csv;
  SelectionOptions selection;
  std::vector<int> n_components;
  std::string table;
  std::string group;
  std::string output;
};

Input read_samples(const SelectCommand& command) {
  Input input = read_input(command.table, command.csv);
  if (command.group.empty()) return input;
  const std::vector<Index> rows = rows_of_group(input.table, command.group);
  if (rows.empty()) {
    const std::set<std::string> names(input.table.groups.begin(), input.table.groups.end());
    throw InvalidArgument("--group is '" + command.group + "', expected one of the groups of " +
                          command.table + ": " +
                          quoted_list(std::vector<std::string>(names.begin(), names.end())));
  }
  input.table.values = rows_at(input.table.values, rows);
  return input;
}

SelectionResult choose(const SelectCommand& command, SampleView samples) {
  SelectionOptions options = command.selection;
  options.mixture.execution = command.common.execution;
  Progress progress(command.common.quiet);
  std::size_t done = 0;
  options.mixture.on_iteration = [&](const FitProgress& step) {
    stop_if_interrupted();
    progress.show(to_text(done) + " of " + to_text(command.n_components.size()) +
                  " numbers of components fitted, step " + to_text(step.iteration));
  };
  options.on_point = [&](const SelectionPoint&) {
    stop_if_interrupted();
    ++done;
  };
  return select_components(samples, command.n_components, options);
}

Table curve_table(const SelectionResult& result, Criterion criterion) {
  Table table;
  table.feature_names = {"components", "mean_log_likelihood", "aic",
                         "bic",        "iterations",          "converged"};
  const bool heldout = criterion == Criterion::heldout;
  if (heldout) table.feature_names.emplace_back("heldout_log_likelihood");
  table.values.resize(std::ssize(result.curve), std::ssize(table.feature_names));
  Index row = 0;
  for (const SelectionPoint& point : result.curve) {
    table.values.row(row).head(6) << point.n_components, point.mean_log_likelihood, point.aic,
        point.bic, point.iterations, point.converged ? 1.0 : 0.0;
    if (heldout) table.values(row, 6) = -point.value(criterion);
    ++row;
  }
  return table;
}

Json curve_json(const SelectionResult& result, Criterion criterion) {
  Json curve = Json::array();
  for (const SelectionPoint& point : result.curve) {
    curve.push_back({{"n_components", point.n_components},
                     {"mean_log_likelihood", point.mean_log_likelihood},
                     {"aic", point.aic},
                     {"bic", point.bic},
                     {"iterations", point.iterations},
                     {"converged", point.converged}});
    if (point.heldout_log_likelihood) {
      curve.back()["heldout_log_likelihood"] = *point.heldout_log_likelihood;
    }
  }
  return {
      {"criterion", to_string(criterion)}, {"n_components", result.n_components}, {"curve", curve}};
}

/// The curve as lines with bars; shorter is better, and the minimum has none.
std::string curve_text(const SelectionResult& result, Criterion criterion) {
  double least = result.curve.front().value(criterion);
  double most = least;
  for (const SelectionPoint& point : result.curve) {
    least = std::min(least, point.value(criterion));
    most = std::max(most, point.value(criterion));
  }
  const double scale = most > least ? static_cast<double>(bar_width) / (most - least) : 0.0;
  const bool heldout = criterion == Criterion::heldout;
  std::string text = "components  log-likelihood             aic             bic  iterations" +
                     std::string(heldout ? "        held out" : "") + "\n";
  for (const SelectionPoint& point : result.curve) {
    const double length = (point.value(criterion) - least) * scale;
    text += right(to_text(point.n_components), 10) +
            right(fixed(point.mean_log_likelihood, 6), 16) + right(fixed(point.aic, 2), 16) +
            right(fixed(point.bic, 2), 16) + right(to_text(point.iterations), 12) +
            (heldout ? right(fixed(-point.value(criterion), 6), 16) : "") + "  |" +
            std::string(static_cast<std::size_t>(std::lround(length)), '#') +
            (point.n_components == result.n_components ? "<- selected" : "") + "\n";
  }
  return text + counted(result.n_components, "component") + " selected by the " +
         (heldout ? "highest likelihood of held-out samples"
                  : "smallest " + std::string(to_string(criterion))) +
         "\n";
}

void write_result(const SelectCommand& command, const SelectionResult& result) {
  const Criterion criterion = command.selection.criterion;
  if (!command.output.empty()) write_table(command.output, curve_table(result, criterion));
  if (command.common.json) {
    write_json(curve_json(result, criterion));
  } else if (command.output != "-") {
    write_text(command.common.quiet ? to_text(result.n_components) + "\n"
                                    : curve_text(result, criterion));
  }
}

bool report_curve(const SelectCommand& command, const SelectionResult& result) {
  bool converged = true;
  for (const SelectionPoint& point : result.curve) {
    if (point.copied_components > 0) {
      const int n_distinct = point.n_components - point.copied_components;
      tell(command.common.quiet, "select",
           "warning: the samples have " + counted(n_distinct, "distinct row") + ", fewer than " +
               counted(point.n_components, "component") + ", so some components are copies");
    }
    if (point.converged) continue;
    converged = false;
    tell(command.common.quiet, "select",
         "warning: " + counted(point.n_components, "component") +
             (point.n_components == 1 ? " has" : " have") + " not converged after " +
             counted(point.iterations, "iteration") + "; " +
             convergence_advice(command.selection.mixture));
  }
  return converged;
}

ExitCode run_select(const SelectCommand& command) {
  if (!command.group.empty() && command.csv.group_column.empty()) {
    throw UsageError("--group needs --group-column");
  }
  if (command.common.json && command.output == "-") {
    throw UsageError("--json and the curve as CSV cannot both go to standard output");
  }
  check_output(command.output, table_extensions);
  const Input input = read_samples(command);
  const SelectionResult result = choose(command, input.samples());
  stop_if_interrupted();
  write_result(command, result);
  return report_curve(command, result) ? exit_done : exit_not_converged;
}

}  // namespace

void add_select(Program& program) {
  Command& command =
      program.add_command("select", "Select the number of mixture components for a set of samples");
  const auto state = std::make_shared<SelectCommand>();
  command.add({"samples", "Samples, CSV or NPY; - is CSV from standard input", "FILE", "", true},
              state->table);
  command.add(
      {"-k,--components,--n-components",
       "Candidate numbers: 5, 1:40, 1:40:3 (every third) or 5,10,20", "RANGE", "", true},
      [state](const std::string& text) { state->n_components = component_numbers_from(text); });
  add_criterion_option(command, state->selection.criterion);
  add_mixture_options(command, state->selection.mixture);
  command.add({"-o,--output", "Output file for the curve, CSV or NPY", "FILE"}, state->output);
  add_csv_options(
      command, state->csv,
      "Column with the group of each row, which is not a feature; without --group, all groups "
      "are pooled");
  command.add({"--group", "Use only the rows of this group", "GROUP"}, state->group);
  add_common_options(command, state->common, "Print the whole curve as JSON");
  command.set_footer(select_examples);
  command.run_by([state] { return run_select(*state); });
}

}  // namespace lbw::cli
