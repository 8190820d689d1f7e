// SPDX-License-Identifier: MIT
// lbw repair: repairs a table so that protected groups cannot be told apart.
#include "cli/repair.hpp"

#include <algorithm>
#include <iostream>
#include <lbw/io.hpp>
#include <lbw/transport.hpp>
#include <memory>
#include <unordered_set>

#include "cli/by_group.hpp"
#include "cli/commands.hpp"
#include "cli/describe.hpp"
#include "cli/fit_progress.hpp"
#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/narrow.hpp"
#include "cli/output.hpp"
#include "cli/read_table.hpp"
#include "cli/repair_notes.hpp"
#include "cli/text.hpp"

namespace lbw::cli {

namespace {

constexpr const char* repair_examples = R"(Examples:
  Repair all columns of numbers, so that the values of "site" cannot be told apart:
    lbw repair table.csv --protected site -o repaired.csv
  Repair only x, and leave all other columns as they are:
    lbw repair table.csv --protected site --columns x -o x-repaired.csv
  Leave the column y as it is, for example a target, and repair halfway:
    lbw repair table.csv --protected site --except y --amount 0.5 -o halfway.csv
  Save the repair, and apply it to new rows:
    lbw repair table.csv --protected site -o repaired.csv --save-model repair.safetensors
    lbw repair --model repair.safetensors table.csv -o again.csv

Several protected columns, such as --protected sex,race, form one group for each combination of their values. Parity is measured on the repaired rows themselves. New rows are a better test: repair them with --model.

Exit codes: 0 done, 1 failed, 2 invalid usage, 3 written without convergence.)";

void check_usage(const RepairCommand& command) {
  if (command.model.empty() && command.wishes.protected_columns.empty()) {
    throw UsageError(
        "the protected column is unknown; name it with --protected, or give the model of an "
        "earlier repair with --model");
  }
  if (command.handle_unknown != UnknownGroup::error && command.model.empty()) {
    throw UsageError("--handle-unknown needs --model; a new repair knows all groups");
  }
  if (command.model == "-" && command.table == "-") {
    throw UsageError("the model and the table cannot both come from standard input");
  }
  check_read_once({command.model, command.table});
  if (is_npy(command.table)) {
    throw UsageError("lbw repair needs column names, which " + command.table + " does not have");
  }
  if (command.csv.missing != MissingValues::error && is_npy(command.output)) {
    throw UsageError(
        "--missing skip leaves cells empty, which NPY cannot represent; write CSV instead");
  }
  if (command.common.json && is_standard_output(command.output)) {
    throw UsageError("--json and the table cannot both go to standard output; add -o FILE");
  }
  if (!command.save_model.empty() && are_same_file(command.save_model, command.output)) {
    throw UsageError("--save-model and --output are both '" + command.output +
                     "', expected different files");
  }
  const std::string extension = extension_of(command.save_model);
  if (command.save_model == "-" || (!extension.empty() && extension != ".safetensors")) {
    throw UsageError("--save-model is '" + command.save_model +
                     "', expected a file name ending in .safetensors");
  }
}

/// A saved repair finds its columns by name.
void check_names_to_save(const RepairCommand& command, const std::vector<std::string>& names) {
  if (command.save_model.empty()) return;
  if (names.empty()) {
    throw InvalidArgument("--save-model needs column names, to find the columns of new rows, but " +
                          command.table + " has none; add a header");
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) continue;
    throw InvalidArgument("two columns of " + command.table + " are named '" + name +
                          "', but --save-model needs distinct names; rename one of them or name "
                          "the columns to repair with --columns");
  }
}

/// A repair that is ready to be applied.
struct Repair {
  TransportModel model;
  RepairNotes notes;
  GroupedTable grouped;
};

Repair new_repair(const RepairCommand& command) {
  Repair repair;
  repair.grouped = read_grouped_table(command.table, command.csv, command.wishes,
                                      teller(command.common.quiet, "repair"));
  check_magnitudes(repair.grouped.table, spoken_path(command.table));
  std::vector<std::string> names = repair.grouped.table.feature_names;
  if (repair.grouped.key_place && !names.empty()) names.push_back(repair.grouped.key_name);
  check_names_to_save(command, names);
  repair.model = fit_repair(command, repair.grouped);
  repair.notes.amounts.assign(repair.model.group_names.size(), command.amount);
  if (!command.weights.empty()) {
    repair.notes.weights =
        in_order_of_groups(command.weights, "--weights", repair.model.group_names);
  }
  return repair;
}

/// The columns of the command or, if it does not name them, those of the model. `csv` gets the
/// column of keys.
ColumnWishes wishes_of(const RepairCommand& command, const Repair& repair, CsvOptions& csv) {
  const std::string of_model = " of " + spoken_path(command.model);
  ColumnWishes wishes = command.wishes;
  wishes.features = repair.model.feature_names;
  if (wishes.protected_columns.empty()) {
    wishes.protected_columns = repair.notes.protected_columns;
    wishes.protected_option += of_model;
  }
  if (wishes.protected_columns.empty()) {
    throw UsageError(spoken_path(command.model) +
                     " does not say which column holds the groups; name it with --protected");
  }
  if (!csv.key_column.empty()) return wishes;
  csv.key_column = noted_key_column(repair.notes, command.model);
  wishes.key_option += of_model;
  return wishes;
}

Repair saved_repair(const RepairCommand& command) {
  Repair repair;
  repair.model = read_model(command.model);
  repair.notes = repair_notes_of(repair.model, command.model);
  if (command.has_amount) {
    repair.notes.amounts.assign(repair.model.group_names.size(), command.amount);
  }
  if (!command.weights.empty()) {
    repair.notes.weights =
        in_order_of_groups(command.weights, "--weights", repair.model.group_names);
    check_refined_weights(repair.model, repair.notes.weights);
  }
  CsvOptions csv = command.csv;
  const ColumnWishes wishes = wishes_of(command, repair, csv);
  const Say say = teller(command.common.quiet, "repair");
  Input input;
  repair.grouped = read_grouped_table(command.table, csv, wishes, say, {"--model"});
  check_magnitudes(repair.grouped.table, spoken_path(command.table));
  input.table = std::move(repair.grouped.table);
  repair.grouped.table =
      in_order_of(columns_of(repair.model), std::move(input), command.table, say).table;
  return repair;
}

/// The repaired features; the other columns of the table are not needed for this.
RowMatrix repaired_values(const RepairCommand& command, const Repair& repair) {
  const TransportModel& model = repair.model;
  const std::vector<double> weights =
      repair.notes.weights.empty() ? weights_or_default({}, model) : repair.notes.weights;
  Table table;
  table.values = repair.grouped.table.values;
  table.keys = repair.grouped.table.keys;
  table.groups = repair.grouped.labels;
  const auto map_from = [&](const std::string& group) {
    const double amount = repair.notes.amounts[static_cast<std::size_t>(model.group_index(group))];
    return map_to_barycenter(model, group, weights, amount, command.common.execution);
  };
  const GroupTransport how = {
      .map_from = map_from,
      .handle_unknown = command.handle_unknown,
      .quiet = command.common.quiet,
      .place = command.table + ": " +
               (repair.grouped.protected_names.size() == 1
                    ? "column '" + repair.grouped.protected_names.front() + "'"
                    : "the combination of " + quoted_list(repair.grouped.protected_names)),
      .execution = command.common.execution};
  const std::vector<Index> unknown = rows_of_unknown_groups(model, table);
  if (!unknown.empty() && how.handle_unknown == UnknownGroup::error) {
    refuse_unknown_group(model, table, unknown.front(), how);
  }
  return transport_complete(
      table, [&](const Table& complete) { return transport_by_group(model, complete, how); });
}

/// The group of each row; -1 for rows that are not repaired, because their group is unknown or too
/// small. A group of one row differs from every other one and would hide what the others show.
std::vector<int> repaired_codes(const Repair& repair) {
  const std::vector<std::string>& names = repair.model.group_names;
  std::vector<bool> is_kept(names.size(), false);
  for (const std::string& name : repair.model.kept_groups) {
    is_kept[static_cast<std::size_t>(repair.model.group_index(name))] = true;
  }
  std::vector<int> codes = repair.grouped.codes(names);
  for (int& code : codes) {
    if (code >= 0 && is_kept[static_cast<std::size_t>(code)]) code = -1;
  }
  return codes;
}

void write_report(const RepairCommand& command, const Repair& repair,
                  const std::optional<RepairReport>& report) {
  if (command.common.json) {
    Json json = {{"n_rows", repair.grouped.table.values.rows()},
                 {"protected", repair.grouped.protected_names},
                 {"text_columns", repair.grouped.text_columns},
                 {"converged", repair.model.converged()}};
    if (report) json.update(to_json(*report));
    write_json(json);
  } else if (report && !command.common.quiet) {
    if (is_standard_output(command.output)) {
      std::cerr << for_terminal(describe(*report), stderr);
    } else {
      show_text(describe(*report));
    }
  }
  if (!report) {
    const std::vector<int> codes = repaired_codes(repair);
    const bool has_known = std::ranges::any_of(codes, [](int code) { return code >= 0; });
    tell(command.common.quiet, "repair",
         std::string(has_known ? "the repaired rows belong to a single group"
                               : "no row belongs to a repaired group of the model") +
             ", so parity cannot be measured");
  } else {
    warn_of_worse_columns(command, *report);
    warn_of_separation(command, repair.model, std::ranges::min(repair.notes.amounts), *report);
  }
}

ExitCode run_repair(const RepairCommand& command) {
  check_usage(command);
  check_output(command.output, table_extensions);
  if (!command.save_model.empty()) {
    check_output(command.save_model, model_extensions);
    check_not_input(command.save_model, {command.table}, "the model", "--save-model");
  }
  const bool is_new = command.model.empty();
  if (!is_new) check_not_input(command.output, {command.model}, "the table");
  Repair repair = is_new ? new_repair(command) : saved_repair(command);
  const RowMatrix before = repair.grouped.table.values;
  repair.grouped.table.values = repaired_values(command, repair);
  const std::vector<std::string>& names = repair.model.group_names;
  const std::optional<RepairReport> report = repair_report(
      {before, repair.grouped.table.values, repaired_codes(repair), names,
       repair.grouped.feature_labels},
      {.n_permutations = command.n_permutations}, command.common.execution, command.common.quiet);
  stop_if_interrupted();
  if (!command.save_model.empty()) {
    note_repair(repair.model, repair.grouped, command.amount, repair.notes.weights,
                command.transport);
    write_model(command.save_model, repair.model);
  }
  CsvFormat format = format_of(command.csv);
  format.allows_missing = command.csv.missing != MissingValues::error;
  write_table(command.output, repair.grouped.table, format);
  const std::ptrdiff_t n_unknown = warn_of_unknown(command, repair.model, repair.grouped);
  const std::string warning =
      missing_warning(repair.grouped.table, command.table,
                      "they are not repaired, and their repaired columns are empty in the output");
  if (!warning.empty()) tell(command.common.quiet, "repair", warning);
  if (is_new) {
    GroupedTable original = repair.grouped;
    original.table.values = before;
    warn_of_repair(command, repair.model, original);
  }
  write_report(command, repair, report);
  tell(command.common.quiet, "repair",
       counted(std::ssize(complete_rows(repair.grouped.table)) - n_unknown, "row") + " of " +
           counted(names.size(), "group") + ", " + counted(before.cols(), "column") + " repaired");
  return is_new && !repair.model.converged() ? exit_not_converged : exit_done;
}

/// Options of the fit, with the defaults of a repair. Units never matter in a repair, so there is
/// no --scale-features.
void add_fit_options(Command& command, TransportOptions& options) {
  const std::size_t n_before = command.declarations().size();
  command.add(find_option(options_of(options.mixture), "n_components"),
              "-k,--components,--n-components");
  add_mixture_options(command, options.mixture);
  for (const Option& option : options_of(options)) {
    if (option.name != "scale_features") command.add(option);
  }
  std::vector<std::string> names = {"--save-model", "--columns", "--except"};
  for (std::size_t i = n_before; i < command.declarations().size(); ++i) {
    const std::vector<std::string> own = command.declarations()[i].names();
    names.push_back(own.front().starts_with("--") ? own.front() : own[1]);
  }
  command.ignore_with("--model", names);
}

}  // namespace

TransportOptions repair_options() {
  TransportOptions options;
  options.mixture.n_components = 1;
  options.mixture.covariance_floor = 0.0;
  options.mixture.relative_covariance_floor = 0.1;
  options.map = MapKind::random;
  options.dither = Dither::automatically();
  options.refine = 50;
  options.scale_features = true;
  options.group_shrinkage.automatic = true;
  return options;
}

TransportModel fit_repair(const RepairCommand& command, const GroupedTable& grouped) {
  if (grouped.groups.size() < 2) {
    throw InvalidArgument("the protected column has a single value, '" + grouped.groups.front() +
                          "'; a repair needs two or more groups");
  }
  TransportOptions options = command.transport;
  options.mixture.execution = command.common.execution;
  options.feature_names = grouped.table.feature_names;
  if (!command.weights.empty() && options.refine > 0) {
    options.refine_weights = in_order_of_groups(command.weights, "--weights", grouped.groups);
  }
  const std::vector<int> codes = grouped.codes(grouped.groups);
  std::vector<Group> groups;
  for (std::size_t g = 0; g < grouped.groups.size(); ++g) {
    std::vector<Index> rows;
    for (std::size_t row = 0; row < codes.size(); ++row) {
      if (codes[row] == static_cast<int>(g)) rows.push_back(static_cast<Index>(row));
    }
    groups.push_back({grouped.groups[g],
                      rows_at(grouped.table.values, rows),
                      {},
                      values_at(grouped.table.keys, rows)});
  }
  return fit_with_progress(groups, options, command.common.quiet);
}

void add_repair(Program& program) {
  Command& command =
      program.add_command("repair", "Repair a table so that protected groups cannot be told apart");
  const auto state = std::make_shared<RepairCommand>();
  state->transport = repair_options();
  command.add({"table", "Table to repair, CSV; - is standard input", "FILE", "", true},
              state->table);
  add_columns_option(
      command,
      {"--protected,--group-column",
       "Protected columns by name or by number from 1; several form joint groups", "A,B,..."},
      state->wishes.protected_columns);
  add_columns_option(
      command, {"--columns", "Columns to repair; by default all columns of numbers", "A,B,..."},
      state->wishes.features);
  add_columns_option(
      command,
      {"--except", "Columns to leave as they are, such as a target or an identifier", "A,B,..."},
      state->wishes.except);
  command.add({"-o,--output",
               "Output file, CSV (.csv.gz and .csv.zst are compressed) or (by its extension) NPY "
               "with only the repaired columns; standard "
               "output by default",
               "FILE"},
              state->output);
  command.add({"--save-model", "Save the repair for new rows", "MODEL"}, state->save_model);
  command.add({"--model", "Apply a repair of --save-model, of GroupRepair or of lbw fit", "MODEL"},
              state->model);
  command.add(
      number_option("amount", state->amount, {.least = 0.0, .most = 1.0},
                    "Interpolation parameter: 0 leaves rows unchanged, 1 repairs them fully"));
  add_weights_option(command, state->weights);
  command.add(choice_option("handle_unknown", state->handle_unknown,
                            "With --model, for rows of unknown groups: raise an error, leave them "
                            "unchanged, or transport them to the mean of their images"));
  command.add(
      integer_option("permutations", state->n_permutations, {.least = 0, .most = 100000},
                     "Number of random permutations used to estimate the noise level; 0 for none"));
  add_fit_options(command, state->transport);
  add_table_options(command, state->csv);
  add_key_option(command, state->csv);
  add_common_options(command, state->common, "Print parity before and after the repair as JSON");
  command.set_footer(repair_examples);
  command.run_by([state, &command] {
    state->has_amount = command.was_given("--amount");
    return run_repair(*state);
  });
}

}  // namespace lbw::cli
