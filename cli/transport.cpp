// SPDX-License-Identifier: MIT
// lbw transport: transports points from one group to another or to the barycenter.
#include <algorithm>
#include <lbw/io.hpp>
#include <lbw/transport.hpp>
#include <lbw/types.hpp>
#include <memory>

#include "cli/by_group.hpp"
#include "cli/commands.hpp"
#include "cli/describe.hpp"
#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/read_table.hpp"
#include "cli/repair_notes.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

constexpr const char* transport_examples = R"(Examples:
  Transport the rows of A.csv from group A to group B:
    lbw transport model.safetensors A.csv --from A --to B -o transported.csv
  Transport halfway from A to B, from standard input to standard output:
    lbw transport model.safetensors - --from A --to B --amount 0.5 < A.csv > half.csv
  Write a compressed table, with empty cells in rows with missing values:
    lbw transport model.safetensors A.csv --from A --to B --missing skip -o moved.csv.gz
  Transport to the barycenter with weight .75 for A:
    lbw transport model.safetensors A.csv --from A --to barycenter --weights A=.75,B=.25
  Invert a hard map (lbw fit --map hard):
    lbw transport hard.safetensors transported.csv --from A --to B --inverse -o back.csv
  Transport every row from the group in the column "site":
    lbw transport sites.safetensors table.csv --group-column site --to barycenter
  The same, but leave rows of unknown sites unchanged:
    lbw transport sites.safetensors table.csv --group-column site --to barycenter --handle-unknown ignore

--to barycenter always means the barycenter, even if a group has that name.)";

constexpr const char* barycenter_word = "barycenter";

struct TransportCommand {
  CommonOptions common;
  CsvOptions csv;
  std::string model;
  std::string table;
  std::string from;
  std::string to;
  GroupNumbers<double> weights;
  double amount = 1.0;
  bool inverse = false;
  UnknownGroup handle_unknown = UnknownGroup::error;
  OtherColumns keep = OtherColumns::all;
  std::string output;
};

void check_usage(const TransportCommand& command) {
  if (command.model == "-" && command.table == "-") {
    throw UsageError("the model and the points cannot both come from standard input");
  }
  check_read_once({command.model, command.table});
  if (command.from.empty() && command.csv.group_column.empty()) {
    throw UsageError(
        "the group of the points is unknown; name it with --from, or give the column that contains "
        "the group of each row with --group-column");
  }
  if (!command.from.empty() && !command.csv.group_column.empty()) {
    throw UsageError("--from and --group-column are both given, expected only one of them");
  }
  if (!command.weights.empty() && command.to != barycenter_word) {
    throw UsageError("--weights needs --to barycenter, but --to is '" + command.to + "'");
  }
  if (command.handle_unknown != UnknownGroup::error && command.csv.group_column.empty()) {
    throw UsageError("--handle-unknown needs --group-column");
  }
  if (command.handle_unknown == UnknownGroup::barycenter && command.inverse) {
    throw UsageError("--handle-unknown barycenter has no inverse; use error or ignore");
  }
  if (command.csv.missing != MissingValues::error && is_npy(command.output)) {
    throw UsageError(
        "--missing skip leaves cells empty, which NPY cannot represent; write CSV instead");
  }
  if (command.inverse && !command.csv.key_column.empty()) {
    throw UsageError("--key has no effect with --inverse, which draws nothing; omit one of them");
  }
}

/// Names the option that refers to an unknown group.
void check_groups(const TransportModel& model, const TransportCommand& command) {
  const auto is_known = [&](const std::string& group) {
    return std::ranges::find(model.group_names, group) != model.group_names.end();
  };
  const std::string known = "one of the groups of the model: " + quoted_list(model.group_names);
  if (!command.from.empty() && !is_known(command.from)) {
    throw InvalidArgument("--from is '" + command.from + "', expected " + known +
                          suggestion(command.from, model.group_names));
  }
  if (command.to != barycenter_word && !is_known(command.to)) {
    std::vector<std::string> targets = model.group_names;
    targets.emplace_back(barycenter_word);
    throw InvalidArgument("--to is '" + command.to + "', expected barycenter or " + known +
                          suggestion(command.to, targets));
  }
}

LocalMap map_from(const TransportModel& model, const std::string& from,
                  const TransportCommand& command) {
  const Execution& execution = command.common.execution;
  if (command.to != barycenter_word) {
    return map_between(model, from, command.to, command.amount, execution);
  }
  return map_to_barycenter(model, from, weights_or_default(command.weights, model), command.amount,
                           execution);
}

/// How rows of any group are transported.
GroupTransport transport_of_groups(const TransportModel& model, const TransportCommand& command) {
  return {.map_from = [&](const std::string& group) { return map_from(model, group, command); },
          .handle_unknown = command.handle_unknown,
          .inverse = command.inverse,
          .quiet = command.common.quiet,
          .place = command.table + ": column '" + command.csv.group_column + "'",
          .execution = command.common.execution};
}

RowMatrix transport_input(const TransportModel& model, const Input& input,
                          const TransportCommand& command) {
  const GroupTransport how = transport_of_groups(model, command);
  if (input.npy) {
    return transported_points(map_from(model, command.from, command), input.samples(), {}, how);
  }
  return transport_complete(input.table, [&](const Table& table) {
    return command.csv.group_column.empty()
               ? transported_points(map_from(model, command.from, command), table.values,
                                    table.keys, how)
               : transport_by_group(model, table, how);
  });
}

/// Transports and writes in batches, so points and output may be larger than memory.
void transport_to_npy(const TransportModel& model, const Input& input,
                      const TransportCommand& command) {
  const SampleView points = input.samples();
  const LocalMap map = map_from(model, command.from, command);
  const PipeGuard waiting(command.output);
  NpyWriter writer(command.output, points.n_samples(), points.n_features());
  Progress progress(command.common.quiet);
  Index n_done = 0;
  const auto take = [&](const RowMatrix& transported) {
    stop_if_interrupted();
    writer.append(transported);
    n_done += transported.rows();
    progress.show(to_text(n_done) + " of " + counted(points.n_samples(), "row") + " transported",
                  static_cast<double>(n_done) / static_cast<double>(points.n_samples()));
  };
  transport_in_batches(map, points, take, command.common.execution, input.table.keys);
  stop_if_interrupted();
  writer.commit();
}

/// Writes a CSV or NPY table, or JSON to standard output.
void transport_to_table(const TransportModel& model, Input& input,
                        const TransportCommand& command) {
  input.table.values = transport_input(model, input, command);
  stop_if_interrupted();
  if (command.common.json && is_standard_output(command.output)) {
    write_json(to_json(input.table));
  } else {
    CsvFormat format = format_of(command.csv);
    format.allows_missing = command.csv.missing != MissingValues::error;
    write_table(command.output, input.table, format);
  }
}

/// The number of rows, of rows of unknown groups, and of rows with missing values.
struct RowCounts {
  Index all = 0;
  Index unknown = 0;
  Index missing = 0;
};

Json summary_json(const RowCounts& rows, const TransportCommand& command) {
  Json json = {{"n_rows", rows.all}, {"to", command.to}};
  if (command.handle_unknown != UnknownGroup::error) json["n_unknown_rows"] = rows.unknown;
  if (command.csv.missing != MissingValues::error) json["n_missing_rows"] = rows.missing;
  return json;
}

std::string summary_text(const RowCounts& rows, const TransportCommand& command) {
  const std::string done = command.inverse ? " transported back from " : " transported to ";
  const std::string target =
      command.to == barycenter_word ? "the barycenter" : "'" + command.to + "'";
  const std::string text = counted(rows.all - rows.unknown - rows.missing, "row") + done + target;
  if (rows.unknown == 0) return text;
  const bool stay = command.handle_unknown == UnknownGroup::ignore;
  return text + ", " + counted(rows.unknown, "row") + " of unknown groups " +
         (stay ? "left unchanged" : "transported by the maps of all groups");
}

/// Reads the points, with missing values as NaN and columns in the order of the model.
Input read_points(const TransportModel& model, const TransportCommand& command) {
  const Say say = teller(command.common.quiet, "transport");
  CsvOptions csv = is_npy(command.table) ? command.csv : options_for(model, command.csv, say);
  // the inverse draws nothing
  if (!command.inverse) use_noted_key(model, command.model, {command.table}, csv, say);
  csv.keeps_others = command.keep == OtherColumns::all;
  csv.keeps_key = true;
  if (csv.missing == MissingValues::skip) csv.missing = MissingValues::keep;
  return in_order_of(columns_of(model), read_input(command.table, csv, say), command.table, say);
}

ExitCode run_transport(const TransportCommand& command) {
  check_usage(command);
  check_output(command.output, table_extensions);
  check_not_input(command.output, {command.model}, "the points");
  const TransportModel model = read_model(command.model);
  check_groups(model, command);
  Input input = read_points(model, command);
  const std::vector<Index> unknown = rows_of_unknown_groups(model, input.table);
  if (!unknown.empty() && command.handle_unknown == UnknownGroup::error) {
    refuse_unknown_group(model, input.table, unknown.front(), transport_of_groups(model, command));
  }
  const std::string warning = missing_warning(input.table, command.table,
                                              "the features of such rows are empty in the output");
  const RowCounts rows = {input.samples().n_samples(), std::ssize(unknown),
                          input.table.values.rows() - std::ssize(complete_rows(input.table))};
  if (is_npy(command.output) && command.csv.group_column.empty() && !command.inverse) {
    transport_to_npy(model, input, command);
  } else {
    transport_to_table(model, input, command);
  }
  if (command.common.json && !is_standard_output(command.output)) {
    write_json(summary_json(rows, command));
  }
  tell_numbers(command.common.quiet, "transport", "--weights", command.weights, model.group_names);
  if (!warning.empty()) tell(command.common.quiet, "transport", warning);
  tell(command.common.quiet, "transport", summary_text(rows, command));
  return exit_done;
}

}  // namespace

void add_transport(Program& program) {
  Command& command =
      program.add_command("transport", "Transport points to another group or to the barycenter");
  const auto state = std::make_shared<TransportCommand>();
  command.add({"model", "A model written by lbw fit; - is standard input", "MODEL", "", true},
              state->model);
  command.add(
      {"points",
       "Points to transport, CSV (also compressed by gzip or zstd) or NPY; - is CSV from standard "
       "input. From NPY to NPY "
       "they may be larger than memory",
       "FILE", "", true},
      state->table);
  command.add({"--from", "Group of the points", "GROUP"}, state->from);
  command.add({"--to", "Group to transport to, or the word barycenter", "GROUP", "", true},
              state->to);
  add_weights_option(command, state->weights);
  command.add(
      number_option("amount", state->amount, {.least = 0.0, .most = 1.0},
                    "Interpolation parameter: 0 leaves points unchanged, 1 transports them fully"));
  command.add_flag({"--inverse",
                    "Invert the map: transport points from --to back to --from; needs a model of "
                    "lbw fit --map hard, or with one component"},
                   [state] { state->inverse = true; });
  command.add(
      {"-o,--output",
       "Output file by its extension: .csv, .tsv, also with .gz or .zst, or .npy with only the "
       "numbers; standard output "
       "by default",
       "FILE"},
      state->output);
  add_csv_options(
      command, state->csv,
      "Column with the group that each row is transported from; the output contains it too");
  command.add(
      choice_option("keep", state->keep,
                    "Columns of CSV files that are neither features nor group nor key: keep "
                    "all of them in their places, or none"));
  command.add(choice_option(
      "handle_unknown", state->handle_unknown,
      "For rows of unknown groups, raise an error, leave them unchanged, or transport them to the "
      "mean of their images under all maps, weighted by group probabilities"));
  add_key_option(command, state->csv);
  add_common_options(command, state->common, "Print the transported points as JSON");
  command.set_footer(transport_examples);
  command.run_by([state] { return run_transport(*state); });
}

}  // namespace lbw::cli
