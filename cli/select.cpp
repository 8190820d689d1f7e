// SPDX-License-Identifier: MIT
// lbw select: selects the number of mixture components for a set of samples.
#include <algorithm>
#include <cmath>
#include <functional>
#include <lbw/fit_mixture.hpp>
#include <lbw/report.hpp>
#include <lbw/types.hpp>
#include <memory>
#include <set>

#include "cli/commands.hpp"
#include "cli/component_numbers.hpp"
#include "cli/describe.hpp"
#include "cli/fit_quality.hpp"
#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/system.hpp"
#include "cli/terminal.hpp"
#include "cli/terms.hpp"

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
  Input input = read_input(command.table, command.csv, teller(command.common.quiet, "select"));
  if (command.group.empty()) return input;
  const std::vector<Index> rows = rows_of_group(input.table, command.group);
  if (rows.empty()) {
    const std::set<std::string> names(input.table.groups.begin(), input.table.groups.end());
    const std::vector<std::string> list(names.begin(), names.end());
    throw InvalidArgument("--group is '" + command.group + "', expected one of the groups of " +
                          command.table + ": " + quoted_list(list) +
                          suggestion(command.group, list));
  }
  input.table.values = rows_at(input.table.values, rows);
  input.table.weights = values_at(input.table.weights, rows);
  return input;
}

SelectionResult choose(const SelectCommand& command, const Input& input) {
  SelectionOptions options = command.selection;
  options.mixture.execution = command.common.execution;
  Progress progress(command.common.quiet);
  std::size_t done = 0;
  options.mixture.on_iteration = [&](const FitProgress& step) {
    stop_if_interrupted();
    progress.show(to_text(done) + " of " + to_text(command.n_components.size()) +
                      " numbers of components fitted, step " + to_text(step.iteration),
                  static_cast<double>(done) / static_cast<double>(command.n_components.size()));
  };
  options.on_point = [&](const SelectionPoint&) {
    stop_if_interrupted();
    ++done;
  };
  return select_components(input.samples(), command.n_components, options, input.table.weights);
}

/// A column of the curve. Text, CSV and JSON have the same names.
struct CurveColumn {
  const char* name;
  int width;      ///< of the text
  int precision;  ///< of the text; 0 for whole numbers
  std::function<Json(const SelectionPoint&)> cell;
};

std::vector<CurveColumn> curve_columns(Criterion criterion) {
  std::vector<CurveColumn> columns = {
      {"n_components", 12, 0, [](const SelectionPoint& point) { return point.n_components; }},
      {"mean_log_likelihood", 21, 6,
       [](const SelectionPoint& point) { return point.mean_log_likelihood; }},
      {"aic", 16, 2, [](const SelectionPoint& point) { return point.aic; }},
      {"bic", 16, 2, [](const SelectionPoint& point) { return point.bic; }},
      {"iterations", 12, 0, [](const SelectionPoint& point) { return point.iterations; }},
      {"converged", 0, 0, [](const SelectionPoint& point) { return point.converged; }},
  };
  if (criterion == Criterion::heldout) {
    columns.push_back({"heldout_log_likelihood", 24, 6,
                       [](const SelectionPoint& point) { return *point.heldout_log_likelihood; }});
  }
  return columns;
}

Table curve_table(const SelectionResult& result, Criterion criterion) {
  const std::vector<CurveColumn> columns = curve_columns(criterion);
  Table table;
  table.values.resize(std::ssize(result.curve), std::ssize(columns));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    table.feature_names.emplace_back(columns[c].name);
    for (std::size_t row = 0; row < result.curve.size(); ++row) {
      const Json cell = columns[c].cell(result.curve[row]);
      table.values(static_cast<Index>(row), static_cast<Index>(c)) =
          cell.is_boolean() ? (cell.get<bool>() ? 1.0 : 0.0) : cell.get<double>();
    }
  }
  return table;
}

Json curve_json(const SelectionResult& result, Criterion criterion) {
  Json curve = Json::array();
  for (const SelectionPoint& point : result.curve) {
    Json& entry = curve.emplace_back(Json::object());
    for (const CurveColumn& column : curve_columns(criterion)) {
      entry[column.name] = column.cell(point);
    }
  }
  return {
      {"criterion", to_string(criterion)}, {"n_components", result.n_components}, {"curve", curve}};
}

/// The columns of the text, right-aligned; without a point their names.
std::string curve_line(Criterion criterion, const SelectionPoint* point) {
  std::string line;
  for (const CurveColumn& column : curve_columns(criterion)) {
    if (column.width == 0) continue;
    std::string cell = column.name;
    if (point != nullptr) {
      const Json value = column.cell(*point);
      cell = column.precision == 0 ? to_text(value.get<int>())
                                   : fixed(value.get<double>(), column.precision);
    }
    line += right(cell, static_cast<std::size_t>(column.width));
  }
  return line;
}

/// The length of the longest bar. In a narrow terminal it leaves room for the first column.
std::size_t longest_bar() {
  constexpr std::size_t others = 16;
  if (!system::is_terminal(stdout)) return bar_width;
  const std::size_t width = terminal_width(stdout);
  return std::min<std::size_t>(bar_width, width > others ? width - others : 1);
}

/// The curve as lines with bars; shorter is better, and the minimum has none.
std::string curve_text(const SelectionResult& result, Criterion criterion) {
  double least = result.curve.front().value(criterion);
  double most = least;
  for (const SelectionPoint& point : result.curve) {
    least = std::min(least, point.value(criterion));
    most = std::max(most, point.value(criterion));
  }
  const double scale = most > least ? static_cast<double>(longest_bar()) / (most - least) : 0.0;
  const bool heldout = criterion == Criterion::heldout;
  std::string text = curve_line(criterion, nullptr) + "\n";
  for (const SelectionPoint& point : result.curve) {
    const double length = (point.value(criterion) - least) * scale;
    text += curve_line(criterion, &point) + "  |" +
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
  if (!command.output.empty()) {
    write_table(command.output, curve_table(result, criterion), format_of(command.csv));
  }
  if (command.common.json) {
    write_json(curve_json(result, criterion));
  } else if (command.output != "-") {
    show_text(command.common.quiet ? to_text(result.n_components) + "\n"
                                   : curve_text(result, criterion));
  }
}

void warn_of_floor(const SelectCommand& command, const Input& input,
                   const SelectionResult& result) {
  const std::string name =
      command.group.empty() ? named_paths({command.table}).front().name : command.group;
  const std::optional<std::string> warning =
      floor_warning(result.fit.mixture, command.selection.mixture, name, input.table.feature_names);
  if (!warning) return;
  tell(command.common.quiet, "select", "warning: " + in_terms_of_the_program(*warning));
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
  check_not_input(command.output, {command.table}, "the curve");
  const Input input = read_samples(command);
  const SelectionResult result = choose(command, input);
  stop_if_interrupted();
  write_result(command, result);
  if (command.selection.criterion == Criterion::heldout && !command.common.quiet) {
    const SampleView samples[] = {input.samples()};
    const auto copies = copies_warning(samples);
    if (copies) tell(command.common.quiet, "select", "warning: " + *copies);
  }
  warn_of_floor(command, input, result);
  return report_curve(command, result) ? exit_done : exit_not_converged;
}

}  // namespace

void add_select(Program& program) {
  Command& command =
      program.add_command("select", "Select the number of mixture components for a set of samples");
  const auto state = std::make_shared<SelectCommand>();
  command.add(
      {"samples",
       "Samples, CSV (also compressed by gzip or zstd) or NPY; - is CSV from standard input",
       "FILE", "", true},
      state->table);
  command.add(
      {"-k,--components,--n-components",
       "Candidate numbers: 5, 1:40, 1:40:3 (every third) or 5,10,20", "RANGE", "", true},
      [state](const std::string& text) { state->n_components = component_numbers_from(text); });
  add_criterion_option(command, state->selection.criterion);
  add_mixture_options(command, state->selection.mixture);
  command.add(
      {"-o,--output",
       "Output file for the curve by its extension: .csv, .tsv, also with .gz or .zst, or .npy",
       "FILE"},
      state->output);
  add_csv_options(
      command, state->csv,
      "Column with the group of each row, which is not a feature; without --group, all groups "
      "are pooled");
  add_weight_option(command, state->csv);
  command.add({"--group", "Use only the rows of this group", "GROUP"}, state->group);
  add_common_options(command, state->common, "Print the whole curve as JSON");
  command.set_footer(select_examples);
  command.run_by([state] { return run_select(*state); });
}

}  // namespace lbw::cli
