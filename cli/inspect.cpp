// SPDX-License-Identifier: MIT
// lbw inspect: shows a model and evaluates it on held-out samples.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <lbw/io.hpp>
#include <lbw/report.hpp>
#include <memory>
#include <variant>

#include "cli/commands.hpp"
#include "cli/describe.hpp"
#include "cli/describe_mixture.hpp"
#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/read_table.hpp"
#include "cli/repair_notes.hpp"
#include "cli/report_json.hpp"
#include "cli/terms.hpp"

namespace lbw::cli {

namespace {

constexpr const char* inspect_examples = R"(Examples:
  Show groups, features, fit statistics, components, coupling, distances and a verdict:
    lbw inspect model.safetensors
  Print the same as JSON:
    lbw inspect model.safetensors --json
  Evaluate the model on held-out samples, one file per group:
    lbw inspect model.safetensors --data A.csv B.csv
  Read one file with the group of each row in the column "site":
    lbw inspect sites.safetensors --data table.csv --group-column site

Held-out samples show whether transported samples agree with their target (sliced Wasserstein
distance, likelihood), how far they move, and how well a nearest-neighbour classifier separates the
groups before and at the barycenter. A limit is the largest value that sampling noise explains. If
the map is correct, the verdict contains a warning in at most 5 % of reports. Diagnostics in
docs/beyond.md explains all columns.)";

struct InspectCommand {
  CommonOptions common;
  CsvOptions csv;
  ReportOptions report;
  GroupNumbers<double> weights;
  std::string model;
  std::vector<std::string> data;
  std::function<bool()> has_seed;  ///< whether --seed was given
};

void check_usage(const InspectCommand& command) {
  std::vector<std::string> paths = paths_of(command.data);
  if (command.model == "-" && std::ranges::find(paths, "-") != paths.end()) {
    throw UsageError("the model and the data cannot both come from standard input");
  }
  paths.insert(paths.begin(), command.model);
  check_read_once(paths);
  check_names_of_files(command.data, command.csv);
}

/// Reads samples with columns in the model's order. A group column may define several groups in one
/// file.
std::vector<NamedInput> read_held_out(const InspectCommand& command, const TransportModel& model) {
  if (command.data.empty()) return {};
  const Say say = teller(command.common.quiet, "inspect");
  const std::vector<NamedPath> paths = named_paths(command.data);
  std::vector<std::string> files;
  for (const NamedPath& path : paths) files.push_back(path.path);
  CsvOptions csv = options_for(model, command.csv, say);
  use_noted_key(model, command.model, files, csv, say);
  std::vector<NamedInput> inputs = read_groups(command.data, csv, say);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool by_file = command.csv.group_column.empty();
    inputs[i].input = in_order_of(columns_of(model), std::move(inputs[i].input),
                                  by_file ? paths[i].path : paths.front().path, say);
  }
  return inputs;
}

AnyModel read_any_model(const std::string& path) {
  const EndAtOnce waiting;
  if (path != "-") return load_any_model(path);
  const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
  return any_model_from_bytes(bytes, spoken_path(path));
}

ExitCode inspect_mixture(const MixtureModel& model, const InspectCommand& command) {
  if (!command.data.empty()) {
    throw InvalidArgument("--data evaluates transport models, but '" + command.model +
                          "' holds a Gaussian mixture; omit --data");
  }
  if (command.common.json) {
    write_json(to_json(model));
  } else {
    show_text(describe(model));
  }
  return exit_done;
}

ExitCode inspect_transport(const TransportModel& model, InspectCommand& command) {
  const std::vector<NamedInput> inputs = read_held_out(command, model);
  const std::vector<Group> groups = groups_of(inputs);
  const auto has_noted = [&] { return !repair_notes_of(model, command.model).weights.empty(); };
  if (!command.weights.empty() || (model.refinement.empty() && has_noted())) {
    command.report.barycentric_weights = weights_or_default(command.weights, model);
    tell_numbers(command.common.quiet, "inspect", "--weights", command.weights, model.group_names);
  }
  if (!command.has_seed()) command.report.seed = model.mixture_options.seed;
  command.report.execution = command.common.execution;
  Report made = report(model, groups, command.report);
  for (Finding& finding : made.verdict) finding.text = in_terms_of_the_program(finding.text);
  stop_if_interrupted();
  if (command.common.json) {
    Json json = to_json(model);
    add_report(made, json);
    write_json(json);
  } else {
    show_text(describe(model) + describe_coupling_cost(model, command.common.execution) + "\n" +
              describe(made));
  }
  return exit_done;
}

ExitCode run_inspect(InspectCommand& command) {
  check_usage(command);
  const AnyModel model = read_any_model(command.model);
  if (const auto* const mixture = std::get_if<MixtureModel>(&model)) {
    return inspect_mixture(*mixture, command);
  }
  return inspect_transport(std::get<TransportModel>(model), command);
}

}  // namespace

void add_inspect(Program& program) {
  Command& command =
      program.add_command("inspect", "Show a model and evaluate it on held-out samples");
  const auto state = std::make_shared<InspectCommand>();
  command.add(
      {"model", "A model written by lbw fit, or a mixture saved in Python; - is standard input",
       "MODEL", "", true},
      state->model);
  command.add({"--data",
               "Held-out samples: one CSV (also compressed by gzip or zstd) or NPY file per group, "
               "as path or name=path, or any "
               "files with --group-column; - is CSV from standard input",
               "FILE"},
              state->data);
  add_weights_option(command, state->weights);
  command.add(integer_option(
      "permutations", state->report.n_permutations, {.least = 0},
      "Number of random permutations used to estimate the null distribution; 0 skips it"));
  command.add_without_default(integer_option(
      "seed", state->report.seed,
      "Seed of directions, permutations and subsamples; by default that of the fit"));
  state->has_seed = [&command] { return command.was_given("--seed"); };
  add_csv_options(command, state->csv, "Column of --data with the group of each row");
  add_key_option(command, state->csv);
  add_weight_option(command, state->csv);
  add_common_options(command, state->common, "Print the report as JSON");
  for (const char* option : {"--weights", "--permutations", "--seed", "--delimiter", "--decimal",
                             "--missing", "--header", "--no-header", "--quoted-text", "--columns",
                             "--group-column", "--key", "--weight-column"}) {
    command.need(option, "--data");
  }
  command.set_footer(inspect_examples);
  command.run_by([state] { return run_inspect(*state); });
}

}  // namespace lbw::cli
